// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that the library's resolves nothing for it.
let package = Package(
    name: "Fleet",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "InterceptorKit", path: "../..", traits: ["Hummingbird", "Redis"]),
        .package(
            url: "https://github.com/hummingbird-project/hummingbird.git",
            from: "2.28.1",
            traits: []
        ),
    ],
    targets: [
        .executableTarget(
            name: "Fleet",
            dependencies: [
                .product(name: "InterceptorKit", package: "InterceptorKit"),
                .product(name: "InterceptorKitCurl", package: "InterceptorKit"),
                .product(name: "InterceptorKitHummingbird", package: "InterceptorKit"),
                .product(name: "InterceptorKitRedis", package: "InterceptorKit"),
                .product(name: "InterceptorKitSharedState", package: "InterceptorKit"),
                .product(name: "InterceptorKitSigning", package: "InterceptorKit"),
                .product(name: "Hummingbird", package: "hummingbird"),
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
