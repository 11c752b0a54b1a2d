"""What is in the binaries, as an SPDX 2.3 document in JSON."""

import json
import os
import re

import components
import debcopyright
import packaging

LICENCES = {components.APPLE: "Apache-2.0 WITH Swift-exception", "Gladman": "LicenseRef-Gladman"}


def reference(name):
    return "SPDXRef-" + re.sub("[^A-Za-z0-9.]", "-", name)


def package(name, version, licence, copyright, url, **more):
    return {
        "SPDXID": reference(name), "name": name, "versionInfo": version, "downloadLocation": url,
        "filesAnalyzed": False, "licenseConcluded": licence, "licenseDeclared": licence,
        "copyrightText": copyright.replace("\n ", "\n"), **more,
    }


def relation(what, kind, other):
    return {"spdxElementId": what, "relationshipType": kind, "relatedSpdxElement": other}


def purl(component):
    location = re.match(r"https://github\.com/([^/]+/[^/]+)$", component.url)
    # The version of a part within another package is that package's.
    if not location or component.folder:
        return {}
    return {"externalRefs": [{
        "referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
        "referenceLocator": f"pkg:swift/github.com/{location.group(1)}@{component.version()}"}]}


def document():
    packages, relations = [], []
    for program in packaging.PROGRAMS:
        sum = packaging.digest(os.path.join(packaging.BINARIES, program))
        packages.append(package(
            program, packaging.version(), "MIT", "2026 The argus authors", "NOASSERTION",
            primaryPackagePurpose="APPLICATION",
            checksums=[{"algorithm": "SHA256", "checksumValue": sum}]))
        relations.append(relation("SPDXRef-DOCUMENT", "DESCRIBES", reference(program)))
        relations += [relation(reference(program), "STATIC_LINK", reference(component.name))
                      for component in components.of(program)]
    for component in components.COMPONENTS:
        packages.append(package(
            component.name, component.version(), LICENCES.get(component.licence, component.licence),
            component.copyright, component.url, primaryPackagePurpose="LIBRARY", **purl(component),
            **({"comment": component.comment} if component.comment else {})))
        if component.folder and component.package:
            relations.append(relation(
                reference(component.package), "CONTAINS", reference(component.name)))
    sums = "".join(row["checksums"][0]["checksumValue"] for row in packages if "checksums" in row)
    return {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"argus-{packaging.version()}",
        # Made of the binaries, so that it is unique and the same each time.
        "documentNamespace": f"urn:argus:sbom:{packaging.version()}:{sums[:32]}{sums[64:96]}",
        "creationInfo": {"created": packaging.date("%Y-%m-%dT%H:%M:%SZ"),
                         "creators": ["Organization: The argus authors", "Tool: argus-scripts-dist"]},
        "packages": packages, "relationships": relations,
        "hasExtractedLicensingInfos": [{
            "licenseId": "LicenseRef-Gladman", "name": "Gladman",
            "extractedText": debcopyright.gladman()}],
    }


def write(path):
    with open(path, "w") as file:
        json.dump(document(), file, indent=2, ensure_ascii=False)
        file.write("\n")
