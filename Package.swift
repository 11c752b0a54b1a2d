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

let package = Package(
    name: "argus",
    products: [
        .executable(name: "argus", targets: ["argus"]),
        .executable(name: "argus-demo", targets: ["argus-demo"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        // The demo's push services only: argus itself speaks through libcurl.
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    ],
    targets: [
        // Headers only: libcurl and libavahi-client are opened with dlopen at first use.
        .systemLibrary(
            name: "CCurl", path: "Sources/CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(
            name: "CAvahi", path: "Sources/CAvahi", providers: [.apt(["libavahi-client-dev"])]),
        // Settings of the process and attributes of files, which only C can name.
        .systemLibrary(name: "CProcess", path: "Sources/CProcess"),
        // libsecret needs no header of the system: CSecret declares the few functions by itself.
        .systemLibrary(name: "CSecret", path: "Sources/CSecret"),
        // The same for SQLite, of which an archive is made.
        .systemLibrary(name: "CSQLite", path: "Sources/CSQLite"),
        .systemLibrary(
            name: "CTurboJPEG", path: "Sources/CTurboJPEG",
            providers: [.apt(["libturbojpeg0-dev"])]),
        .target(name: "CommandLineKit", swiftSettings: settings),
        .target(
            name: "ArgusKit",
            dependencies: [
                "CAvahi", "CCurl", "CProcess", "CSQLite", "CSecret",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "argus", dependencies: ["ArgusKit", "CommandLineKit"], swiftSettings: settings),
        .executableTarget(
            name: "argus-demo",
            dependencies: [
                "CAvahi", "CTurboJPEG",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOTLS", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
            ],
            swiftSettings: settings),
        .target(
            name: "ArgusTestSupport", dependencies: ["ArgusKit", "CommandLineKit"],
            path: "Tests/Support", swiftSettings: settings),
        .testTarget(
            name: "CommandLineKitTests", dependencies: ["CommandLineKit", "ArgusTestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "ArgusKitTests",
            dependencies: [
                "ArgusKit", "ArgusTestSupport",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "argusTests", dependencies: ["argus", "ArgusTestSupport"], swiftSettings: settings
        ),
        .testTarget(
            name: "EndToEndTests",
            dependencies: ["argus", "argus-demo", "ArgusKit", "ArgusTestSupport", "CProcess"],
            exclude: ["Fixtures"], swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
