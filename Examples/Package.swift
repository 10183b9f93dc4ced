// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that `swift test` builds none of these programs. The Quickstart and Resilience, which
// have tests, stand in the library's.

/// The programs, each with the modules that it uses.
let programs: KeyValuePairs<String, [String]> = [
    "Caching": ["InterceptorKit", "InterceptorKitCaching", "InterceptorKitTesting"],
    "Endpoints": [
        "InterceptorKit", "InterceptorKitCurl", "InterceptorKitLoadBalancing",
        "InterceptorKitTesting",
    ],
    "ErrorEnvelopes": ["InterceptorKit", "InterceptorKitTesting"],
    "GenericChain": ["InterceptorKit", "InterceptorKitCore", "InterceptorKitTesting"],
    "RecordAndReplay": [
        "InterceptorKit", "InterceptorKitTesting", "InterceptorKitTesting",
        "InterceptorKitTransport",
    ],
    "RefreshToken": ["InterceptorKit", "InterceptorKitAuthentication", "InterceptorKitTesting"],
    "RoutedSession": [
        "InterceptorKit", "InterceptorKitRouting", "InterceptorKitTesting",
        "InterceptorKitTransport",
    ],
    "SignAndVerify": ["InterceptorKit", "InterceptorKitSigning", "InterceptorKitTesting"],
    "Streams": [
        "InterceptorKit", "InterceptorKitStreaming", "InterceptorKitTesting",
        "InterceptorKitTransport",
    ],
    "TestInterceptor": ["InterceptorKit", "InterceptorKitTesting"],
    "Transfers": [
        "InterceptorKit", "InterceptorKitTesting", "InterceptorKitTransfers",
        "InterceptorKitTransport",
    ],
    "WriteInterceptor": ["InterceptorKit", "InterceptorKitTesting"],
]

/// What lies beside the sources of those that print something else each time.
let files = [
    "Endpoints": ["README.md", "check"], "RoutedSession": [], "Streams": [], "Transfers": [],
]

let package = Package(
    name: "Examples",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "InterceptorKit", path: "..")],
    targets: programs.map { name, modules in
        .executableTarget(
            name: name,
            dependencies: modules.map { .product(name: $0, package: "InterceptorKit") },
            path: name,
            exclude: files[name] ?? ["Output.txt"],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
                .strictMemorySafety(),
                .treatAllWarnings(as: .error),
            ]
        )
    },
    swiftLanguageModes: [.v6]
)
