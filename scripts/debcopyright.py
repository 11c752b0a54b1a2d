"""The file `copyright` of the packages, in Debian's machine-readable format."""

import os
import re

import components
import packaging

HEADER = """\
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: argus
Source: argus-{version}-source.tar.xz of the same release
Comment: The program is linked statically. Folders are those of the source archive,
 which has the sources of the dependencies in Vendor; toolchain is what the
 compiler added. The file NOTICE beside this one has their notices.

Files: *
Copyright: 2026 The argus authors
License: MIT

Files: Sources/ArgusKit/Kit/Pictures/PictureFont.swift
Copyright: none; the glyphs are those of the font Fixed, 8x13, of the X Window System
License: public-domain
 The notice of font-misc-misc is "Public domain font.  Share and enjoy."
"""

APACHE = """\
 On Debian systems, the Apache License 2.0 is in
 /usr/share/common-licenses/Apache-2.0; everywhere it is at
 https://www.apache.org/licenses/LICENSE-2.0."""


def indented(text):
    return "\n".join(" " + (line.strip() or ".") for line in text.strip().splitlines())


def between(path, begin, end):
    """The text of a file from one phrase to another, both included, without signs of comments."""
    with open(path) as file:
        text = re.sub(r"^ ?\* ?", "", file.read(), flags=re.M)
    found = re.search(re.escape(begin) + ".*?" + re.escape(end), text, re.S)
    if not found:
        packaging.fail(f"the licence in {path} is not the one that was read for components.py")
    return found.group(0)


def gladman():
    return between(
        os.path.join(components.sources("swift-crypto"), "Sources/CXKCP/FIPS202-opt64/brg_endian.h"),
        "The redistribution", "fitness for purpose.")


def licences(used):
    """The paragraphs with the text of each licence, quoted from the sources that have it."""
    texts = {
        "MIT": lambda: indented(between(
            os.path.join(packaging.ROOT, "LICENSE"), "Permission is", "DEALINGS IN THE\nSOFTWARE.")),
        "BSD-3-Clause": lambda: indented(between(
            os.path.join(components.sources("swift-nio"), "Sources/CNIOSHA1/c_nio_sha1.c"),
            "Redistribution and use", "SUCH DAMAGE.")),
        "Gladman": lambda: indented(gladman()),
        "Apache-2.0": lambda: APACHE,
        "CC0-1.0": lambda: indented(
            "On Debian systems, CC0 1.0 is in /usr/share/common-licenses/CC0-1.0;\n"
            "everywhere it is at https://creativecommons.org/publicdomain/zero/1.0/."),
        components.APPLE: lambda: APACHE + "\n .\n" + indented(between(
            os.path.join(components.sources("swift-system"), "LICENSE.txt"),
            "As an exception", "of the License.")),
    }
    # Debian's name of an exception is `with … exception`; SPDX has its own.
    return "\n".join(f"License: {debian_name(name)}\n{texts[name]()}\n" for name in used)


def debian_name(licence):
    return licence.replace(" WITH Swift-exception", " with Swift exception")


def text(program):
    """The whole file for one program."""
    parts, used = [HEADER.format(version=packaging.version())], {"MIT"}
    for component in components.of(program):
        used.add(component.licence)
        comment = f"{component.name} {component.version()} ({component.url})"
        if component.comment:
            comment += "\n " + component.comment
        parts.append(f"Files: {component.files}\nCopyright: {component.copyright}\n"
                     f"License: {debian_name(component.licence)}\nComment: {comment}\n")
    return "\n".join(parts) + "\n" + licences(sorted(used))
