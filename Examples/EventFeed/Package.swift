// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that the library's resolves nothing for it.
let package = Package(
    name: "EventFeed",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "InterceptorKit", path: "../..", traits: ["Hummingbird"]),
        .package(
            url: "https://github.com/hummingbird-project/hummingbird.git",
            from: "2.28.1",
            traits: []
        ),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.0.0"),
    ],
    targets: [
        .executableTarget(
            name: "EventFeed",
            dependencies: [
                .product(name: "InterceptorKit", package: "InterceptorKit"),
                .product(name: "InterceptorKitCurl", package: "InterceptorKit"),
                .product(name: "InterceptorKitHummingbird", package: "InterceptorKit"),
                .product(name: "InterceptorKitStreaming", package: "InterceptorKit"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
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
