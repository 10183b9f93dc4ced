// swift-tools-version: 6.2
import PackageDescription

// Every contender's links stand in a module of their own, built with SwiftPM's default release
// settings, as they do in a program that uses the library.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "hop", targets: ["hop"]),
        .executable(name: "schedules", targets: ["schedules"]),
    ],
    dependencies: [
        .package(name: "InterceptorKit", path: ".."),
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
        .package(url: "https://github.com/grpc/grpc-swift-2", exact: "2.4.3"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.0.0"),
    ],
    targets: [
        .target(name: "MallocCount"),
        .target(name: "Measuring", dependencies: ["MallocCount"]),
        .target(
            name: "HandWrittenHops",
            dependencies: [.product(name: "InterceptorKit", package: "InterceptorKit")]
        ),
        .target(
            name: "InterceptorHops",
            dependencies: [.product(name: "InterceptorKit", package: "InterceptorKit")]
        ),
        .target(
            name: "GenericHops",
            dependencies: [.product(name: "InterceptorKit", package: "InterceptorKit")]
        ),
        .target(
            name: "HummingbirdHops",
            dependencies: [.product(name: "Hummingbird", package: "hummingbird")]
        ),
        .target(
            name: "GRPCHops",
            dependencies: [.product(name: "GRPCCore", package: "grpc-swift-2")]
        ),
        .target(
            name: "FoldHops",
            dependencies: [.product(name: "HTTPTypes", package: "swift-http-types")]
        ),
        .executableTarget(
            name: "schedules",
            dependencies: [
                .product(name: "InterceptorKit", package: "InterceptorKit"),
                .product(name: "InterceptorKitTesting", package: "InterceptorKit"),
            ]
        ),
        .executableTarget(
            name: "hop",
            dependencies: [
                "Measuring", "HandWrittenHops", "InterceptorHops", "GenericHops", "HummingbirdHops",
                "GRPCHops", "FoldHops",
                .product(name: "InterceptorKit", package: "InterceptorKit"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "GRPCCore", package: "grpc-swift-2"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)
