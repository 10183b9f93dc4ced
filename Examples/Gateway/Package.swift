// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that the library's resolves nothing for it.
let package = Package(
    name: "Gateway",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(
            name: "InterceptorKit",
            path: "../..",
            traits: ["Hummingbird", "Logging", "Metrics", "Tracing"]
        ),
        .package(
            url: "https://github.com/hummingbird-project/hummingbird.git",
            from: "2.28.1",
            traits: []
        ),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.0.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.7.3"),
    ],
    targets: [
        .executableTarget(
            name: "Gateway",
            dependencies: [
                .product(name: "InterceptorKit", package: "InterceptorKit"),
                .product(name: "InterceptorKitAuthentication", package: "InterceptorKit"),
                .product(name: "InterceptorKitCurl", package: "InterceptorKit"),
                .product(name: "InterceptorKitHummingbird", package: "InterceptorKit"),
                .product(name: "InterceptorKitInspection", package: "InterceptorKit"),
                .product(name: "InterceptorKitSigning", package: "InterceptorKit"),
                .product(name: "InterceptorKitTelemetry", package: "InterceptorKit"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
                .treatAllWarnings(as: .error),
            ]
        )
    ],
    swiftLanguageModes: [.v6]
)
