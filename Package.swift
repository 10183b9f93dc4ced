// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

let package = Package(
    name: "InterceptorKit",
    // Mutex, task executors and typed throws need these; Linux has no lower bound.
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "InterceptorKit", targets: ["InterceptorKit"]),
        .library(name: "InterceptorKitTransport", targets: ["InterceptorKitTransport"]),
        .library(name: "InterceptorKitCurl", targets: ["InterceptorKitCurl"]),
        .library(name: "InterceptorKitTesting", targets: ["InterceptorKitTesting"]),
        .library(name: "InterceptorKitTestingTraits", targets: ["InterceptorKitTestingTraits"]),
    ],
    targets: [
        .target(name: "InterceptorKit", swiftSettings: settings),
        .target(
            name: "InterceptorKitTransport",
            dependencies: ["InterceptorKit"],
            swiftSettings: settings
        ),
        // Opens the system's libcurl when a transport is made; nothing is linked.
        .target(
            name: "CInterceptorKitCurl",
            linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]
        ),
        .target(
            name: "InterceptorKitCurl",
            dependencies: ["InterceptorKit", "CInterceptorKitCurl"],
            swiftSettings: settings
        ),
        .target(
            name: "InterceptorKitTesting",
            dependencies: ["InterceptorKit"],
            swiftSettings: settings
        ),
        // Apart from InterceptorKitTesting, so that programs which use that do not link Swift Testing.
        .target(
            name: "InterceptorKitTestingTraits",
            dependencies: ["InterceptorKit", "InterceptorKitTesting"],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "Quickstart",
            dependencies: ["InterceptorKit", "InterceptorKitTransport", "InterceptorKitTesting"],
            path: "Examples/Quickstart",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "Transfers",
            dependencies: ["InterceptorKit", "InterceptorKitTransport", "InterceptorKitTesting"],
            path: "Examples/Transfers",
            swiftSettings: settings
        ),
        .testTarget(
            name: "QuickstartTests",
            dependencies: ["Quickstart", "InterceptorKit"],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "RoutedSession",
            dependencies: ["InterceptorKit", "InterceptorKitTransport", "InterceptorKitTesting"],
            path: "Examples/RoutedSession",
            swiftSettings: settings
        ),
        .testTarget(
            name: "RoutedSessionTests",
            dependencies: ["RoutedSession"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "InterceptorKitTests",
            dependencies: ["InterceptorKit", "InterceptorKitTesting"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "InterceptorKitTransportTests",
            dependencies: ["InterceptorKit", "InterceptorKitTransport", "InterceptorKitTesting"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "InterceptorKitCurlTests",
            dependencies: ["InterceptorKit", "InterceptorKitCurl", "InterceptorKitTesting"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "InterceptorKitTestingTraitsTests",
            dependencies: [
                "InterceptorKit", "InterceptorKitTesting", "InterceptorKitTestingTraits",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "InterceptorKitTestingTests",
            dependencies: ["InterceptorKit", "InterceptorKitTesting"],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
