// swift-tools-version: 6.2
import PackageDescription

// The Makefile turns warnings into errors; a plain `swift build` with a newer compiler still works.
let strictness: [SwiftSetting] =
    Context.environment["ARGUS_WARNINGS"] == "error" ? [.treatAllWarnings(as: .error)] : []

let settings: [SwiftSetting] =
    strictness + [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]

let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")

/// HTTP servers: the listener of `push listen`, and the embedded server.
let nio = ["NIOConcurrencyHelpers", "NIOCore", "NIOPosix", "NIOHTTP1"].map {
    Target.Dependency.product(name: $0, package: "swift-nio")
}

/// All layers of the kit.
let kit: [Target.Dependency] = [
    "ArgusCore", "ArgusTransport", "ArgusAccount", "ArgusEvents", "ArgusArchive", "ArgusPush",
    "ArgusKit",
]

/// A layer of the kit, in a folder below Sources/ArgusKit.
func layer(_ name: String, _ folder: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Sources/ArgusKit/\(folder)",
        swiftSettings: settings)
}

/// The tests of a layer, in the same folder below Tests/ArgusKitTests.
func tests(of name: String, _ folder: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: kit + ["ArgusTestSupport"] + dependencies,
        path: "Tests/ArgusKitTests/\(folder)", swiftSettings: settings)
}

let package = Package(
    name: "argus",
    products: [
        .executable(name: "argus", targets: ["argus"]),
        .executable(name: "argus-demo", targets: ["argus-demo"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    ],
    targets: [
        // Headers only: libcurl and libavahi-client are opened with dlopen at first use.
        .systemLibrary(
            name: "CCurl", path: "Sources/CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(
            name: "CAvahi", path: "Sources/CAvahi", providers: [.apt(["libavahi-client-dev"])]),
        // What only C can name: settings of the process, kinds of descriptors, attributes of files.
        .systemLibrary(name: "CProcess", path: "Sources/CProcess"),
        // libsecret needs no header of the system: CSecret declares the few functions by itself.
        .systemLibrary(name: "CSecret", path: "Sources/CSecret"),
        // The same for SQLite, of which an archive is made.
        .systemLibrary(name: "CSQLite", path: "Sources/CSQLite"),
        // The same for libzip, which packs case files.
        .systemLibrary(name: "CZip", path: "Sources/CZip"),
        .systemLibrary(
            name: "CTurboJPEG", path: "Sources/CTurboJPEG",
            providers: [.apt(["libturbojpeg0-dev"])]),
        .target(name: "CommandLineKit", swiftSettings: settings),
        // The layers of the kit: each imports only layers above it in this list.
        layer("ArgusCore", "Core", ["CProcess", crypto]),
        layer("ArgusTransport", "Transport", ["ArgusCore", "CAvahi", "CCurl", crypto]),
        layer(
            "ArgusAccount", "Account",
            ["ArgusCore", "ArgusTransport", "CSecret", crypto, cryptoExtras]),
        layer("ArgusEvents", "Events", ["ArgusCore", "ArgusTransport", "ArgusAccount", crypto]),
        layer(
            "ArgusArchive", "Archive",
            ["ArgusCore", "ArgusTransport", "ArgusAccount", "ArgusEvents", "CSQLite"]),
        layer(
            "ArgusPush", "Push",
            [
                "ArgusCore", "ArgusTransport", "ArgusAccount", "ArgusEvents", crypto, cryptoExtras,
            ] + nio),
        layer("ArgusKit", "Kit", kit.dropLast() + ["CZip"]),
        .executableTarget(
            name: "argus", dependencies: kit + ["CommandLineKit"], swiftSettings: settings),
        .executableTarget(
            name: "argus-demo",
            dependencies: [
                "CAvahi", "CTurboJPEG", crypto,
                .product(name: "NIOWebSocket", package: "swift-nio"),
            ] + nio,
            swiftSettings: settings),
        .target(
            name: "ArgusTestSupport", dependencies: kit + ["CommandLineKit", "CProcess"],
            path: "Tests/Support", swiftSettings: settings),
        .testTarget(
            name: "CommandLineKitTests",
            dependencies: ["CommandLineKit", "ArgusTestSupport", "CProcess"],
            swiftSettings: settings),
        tests(of: "ArgusCore", "Core"),
        tests(of: "ArgusTransport", "Transport"),
        tests(of: "ArgusAccount", "Account", [cryptoExtras]),
        tests(of: "ArgusEvents", "Events"),
        tests(of: "ArgusArchive", "Archive"),
        tests(of: "ArgusPush", "Push", [crypto, cryptoExtras]),
        tests(of: "ArgusKit", "Kit"),
        .testTarget(
            name: "argusTests",
            dependencies: kit + ["argus", "ArgusTestSupport", "CommandLineKit"],
            exclude: ["Screens"], swiftSettings: settings),
        .testTarget(
            name: "EndToEndTests",
            dependencies: kit + nio + ["argus", "argus-demo", "ArgusTestSupport", "CProcess"],
            exclude: ["Fixtures"], swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
