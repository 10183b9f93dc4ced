// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that the library's resolves nothing for it.
let package = Package(
    name: "KnowWhoCalls",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "InterceptorKit", path: "../..", traits: ["JWT"]),
        // For the issuer alone, which signs. A service that verifies tokens does not name it.
        .package(url: "https://github.com/vapor/jwt-kit.git", from: "5.7.1"),
    ],
    targets: [
        .executableTarget(
            name: "KnowWhoCalls",
            dependencies: [
                .product(name: "InterceptorKit", package: "InterceptorKit"),
                .product(name: "InterceptorKitAuthentication", package: "InterceptorKit"),
                .product(name: "InterceptorKitCurl", package: "InterceptorKit"),
                .product(name: "InterceptorKitJWT", package: "InterceptorKit"),
                .product(name: "InterceptorKitLoopback", package: "InterceptorKit"),
                .product(name: "InterceptorKitSharedState", package: "InterceptorKit"),
                .product(name: "JWTKit", package: "jwt-kit"),
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
