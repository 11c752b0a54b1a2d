"""What is linked into the binaries, with licences: for debian/copyright, the notices and the SBOM.

The licences and notices themselves are read from the sources that were compiled. A module that was
linked and belongs to no component here is an error, so that nothing is shipped without its licence.
"""

import glob
import json
import os
import re

import packaging

APPLE = "Apache-2.0 WITH Swift-exception"
BORINGSSL = ("2014-2025 The BoringSSL Authors\n 1995-2021 The OpenSSL Project Authors\n"
             " 2012-2015 Intel Corporation")
BOTH = ["argus", "argus-demo"]


class Component:
    """A part of the binaries."""

    def __init__(self, name, licence, copyright, modules=(), package=None, programs=BOTH, url=None,
                 folder=None, comment=None, version=None):
        self.name, self.licence, self.copyright, self.modules = name, licence, copyright, modules
        self.package, self.programs, self.folder = package, programs, folder
        self.comment, self.fixed = comment, version
        self.url = url or f"https://github.com/apple/{package}"

    @property
    def files(self):
        """Where its sources are in the source archive; the compiler's own parts are not in it."""
        return f"Vendor/{self.folder or self.package + '/*'}" if self.package else self.folder

    def version(self):
        return self.fixed() if self.fixed else versions()[self.package]


def sources(package):
    """The folder of a dependency: in Vendor of a source archive, else where SwiftPM put it."""
    for folder in ["Vendor", ".build/checkouts"]:
        path = os.path.join(packaging.ROOT, folder, package)
        if os.path.isdir(path):
            return path
    packaging.fail(f"the sources of {package} are neither in Vendor nor in .build/checkouts")


def versions():
    """The versions of all dependencies, by name."""
    vendored = os.path.join(packaging.ROOT, "Vendor", "versions.json")
    if os.path.exists(vendored):
        with open(vendored) as file:
            return json.load(file)
    with open(os.path.join(packaging.ROOT, ".build", "workspace-state.json")) as file:
        rows = json.load(file)["object"]["dependencies"]
    return {row["packageRef"]["name"]: row["state"]["checkoutState"]["version"] for row in rows}


def boringssl():
    with open(os.path.join(sources("swift-crypto"), "Sources/CCryptoBoringSSL/hash.txt")) as file:
        return re.search(r"revision ([0-9a-f]{40})", file.read()).group(1)


def swift():
    return re.search(r"Swift version ([0-9.]+)", packaging.output("swiftc", "--version")).group(1)


COMPONENTS = [
    Component(
        "swift-crypto", "Apache-2.0", "Apple Inc. and the SwiftCrypto project authors",
        ["Crypto", "CryptoBoringWrapper", "CryptoExtras", "CCryptoBoringSSLShims", "CXKCPShims"],
        "swift-crypto"),
    Component("swift-asn1", "Apache-2.0", "Apple Inc. and the SwiftASN1 project authors", ["SwiftASN1"],
              "swift-asn1", ["argus"]),
    Component(
        "BoringSSL", "Apache-2.0", BORINGSSL, ["CCryptoBoringSSL"], "swift-crypto", url="https://boringssl.googlesource.com/boringssl",
        folder="swift-crypto/Sources/CCryptoBoringSSL/*", version=boringssl),
    Component(
        "fiat-crypto", "MIT", "2015-2020 the fiat-crypto authors", [], "swift-crypto",
        url="https://github.com/mit-plv/fiat-crypto",
        folder="swift-crypto/Sources/CCryptoBoringSSL/third_party/fiat/*",
        comment="Generated code within BoringSSL; of MIT, Apache-2.0 and BSD-1-Clause, MIT is chosen.",
        version=boringssl),
    Component(
        "XKCP", "CC0-1.0", "Guido Bertoni, Joan Daemen, Michaël Peeters, Gilles Van Assche and"
        " Ronny Van Keer", ["CXKCP"], "swift-crypto", url="https://github.com/XKCP/XKCP",
        folder="swift-crypto/Sources/CXKCP/*"),
    Component(
        "brg_endian", "Gladman", "1998-2008 Brian Gladman, Worcester, UK", [], "swift-crypto",
        folder="swift-crypto/Sources/CXKCP/FIPS202-opt64/brg_endian.h", url="https://github.com/XKCP/XKCP"),
    Component(
        "swift-nio", "Apache-2.0", "Apple Inc. and the SwiftNIO project authors",
        ["NIO", "NIOCore", "NIOConcurrencyHelpers", "NIOEmbedded", "NIOHTTP1", "NIOPosix",
         "NIOWebSocket", "_NIOBase64", "_NIODataStructures", "CNIOAtomics", "CNIODarwin",
         "CNIOFreeBSD", "CNIOLinux", "CNIOOpenBSD", "CNIOPosix", "CNIOWASI", "CNIOWindows"],
        "swift-nio"),
    Component("llhttp", "MIT", "2018 Fedor Indutny", ["CNIOLLHTTP"], "swift-nio",
              url="https://github.com/nodejs/llhttp", folder="swift-nio/Sources/CNIOLLHTTP/*"),
    Component("uSHET", "MIT", "Thomas Nixon and Jonathan Heathcote", [], "swift-nio",
              url="https://github.com/18sg/uSHET",
              folder="swift-nio/Sources/CNIOAtomics/src/cpp_magic.h"),
    Component("sha1", "BSD-3-Clause", "1995-1998 WIDE Project", ["CNIOSHA1"], "swift-nio",
              ["argus-demo"], "https://github.com/freebsd/freebsd-src",
              folder="swift-nio/Sources/CNIOSHA1/*"),
    Component("swift-atomics", APPLE, "Apple Inc. and the Swift project authors",
              ["Atomics", "_AtomicsShims"], "swift-atomics"),
    Component("swift-collections", APPLE, "Apple Inc. and the Swift project authors",
              ["DequeModule", "ContainersPreview", "InternalCollectionsUtilities"],
              "swift-collections"),
    Component(
        "swift", APPLE, "Apple Inc. and the Swift project authors", url="https://www.swift.org",
        folder="toolchain/swift/*", version=swift,
        comment="The static libraries of the compiler: standard library, concurrency, string processing,"
        " synchronization, Dispatch and FoundationEssentials with its collections."),
]


def of(program):
    return [component for component in COMPONENTS if program in component.programs]


def check():
    """Fails if a module was linked that no component names."""
    own = {"argus", "argus_demo", "CommandLineKit"} | {
        f"Argus{layer}"
        for layer in ("Core", "Transport", "Account", "Events", "Archive", "Push", "Kit")}
    for program in packaging.PROGRAMS:
        known = own.union(*(component.modules for component in of(program)))
        lists = glob.glob(os.path.join(
            packaging.ROOT, ".build", "*", "release", f"{program}.product", "Objects.LinkFileList"))
        if not lists:
            packaging.fail(f"no list of what was linked into {program}: run 'make build'")
        with open(lists[0]) as file:
            linked = set(re.findall(r"/([^/]+)\.build/", file.read()))
        if linked - known:
            packaging.fail(f"{program} has parts without a licence in components.py: "
                           + ", ".join(sorted(linked - known)))


def notices(program):
    """The NOTICE files that the Apache licence (4d) wants to be passed on."""
    packages = sorted({component.package for component in of(program) if component.package})
    paths = [os.path.join(sources(package), "NOTICE.txt") for package in packages]
    texts = []
    for path in paths:
        if os.path.exists(path):
            with open(path) as file:
                texts.append(file.read().strip("\n"))
    return ("\n\n" + "=" * 79 + "\n\n").join(texts) + "\n"
