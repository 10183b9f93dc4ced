// swift-tools-version: 6.2
import PackageDescription

// Every contender's links stand in a module of their own, built with SwiftPM's default release
// settings, as they do in a program that uses the library.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "all", targets: ["all"]),
        .executable(name: "hop", targets: ["hop"]),
        .executable(name: "schedules", targets: ["schedules"]),
        .executable(name: "transport", targets: ["transport"]),
        .executable(name: "storm", targets: ["storm"]),
        .executable(name: "soak", targets: ["soak"]),
        .executable(name: "memory", targets: ["memory"]),
        .executable(name: "digests", targets: ["digests"]),
        .executable(name: "engines", targets: ["engines"]),
        .executable(name: "wire", targets: ["wire"]),
        .executable(name: "signing", targets: ["signing"]),
        .executable(name: "resilience", targets: ["resilience"]),
        .executable(name: "retry", targets: ["retry"]),
        .executable(name: "events", targets: ["events"]),
        .executable(name: "caching", targets: ["caching"]),
        .executable(name: "serving", targets: ["serving"]),
        .executable(name: "brownout", targets: ["brownout"]),
        .executable(name: "endpoints", targets: ["endpoints"]),
        .executable(name: "streams", targets: ["streams"]),
        .executable(name: "fleet", targets: ["fleet"]),
    ],
    // On, so that every figure comes from one program. `--disable-default-traits` builds programs on
    // the other engines without SwiftNIO, as under a sanitizer.
    traits: [
        .trait(name: "AsyncHTTPClient", description: "The engine AsyncHTTPClientTransport."),
        .default(enabledTraits: ["AsyncHTTPClient"]),
    ],
    dependencies: [
        .package(
            name: "InterceptorKit",
            path: "..",
            traits: [
                "Hummingbird", "Redis",
                .trait(name: "AsyncHTTPClient", condition: .when(traits: ["AsyncHTTPClient"])),
            ]
        ),
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
        .package(url: "https://github.com/grpc/grpc-swift-2", exact: "2.4.3"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.0.0"),
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
        .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    ],
    targets: [
        .target(name: "Reporting"),
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
        .target(
            name: "ScheduleRows",
            dependencies: [
                .product(name: "InterceptorKit", package: "InterceptorKit"),
                .product(name: "InterceptorKitTesting", package: "InterceptorKit"),
            ]
        ),
        .executableTarget(name: "schedules", dependencies: ["ScheduleRows"]),
        // Apart from what counts allocations, so that sanitizers may take malloc's place.
        .target(name: "HeapUse"),
        .target(name: "ProcessFigures", dependencies: ["HeapUse"]),
        .target(name: "Nginx"),
        .target(name: "Loading", dependencies: ["Nginx", "ProcessFigures", "Reporting"]),
        .target(
            name: "Engines",
            dependencies: [
                "Loading", "Reporting",
                .product(name: "InterceptorKit", package: "InterceptorKit"),
                .product(name: "InterceptorKitCurl", package: "InterceptorKit"),
                .product(name: "InterceptorKitTransport", package: "InterceptorKit"),
                .product(
                    name: "InterceptorKitAsyncHTTPClient",
                    package: "InterceptorKit",
                    condition: .when(traits: ["AsyncHTTPClient"])
                ),
                .product(
                    name: "AsyncHTTPClient",
                    package: "async-http-client",
                    condition: .when(traits: ["AsyncHTTPClient"])
                ),
            ]
        ),
        .executableTarget(
            name: "transport",
            dependencies: [
                "Engines", "Loading", "Nginx", "Reporting",
                .product(name: "InterceptorKit", package: "InterceptorKit"),
            ]
        ),
        .executableTarget(
            name: "storm",
            dependencies: [
                "Engines", "Nginx", "ProcessFigures", "Reporting",
                .product(name: "InterceptorKit", package: "InterceptorKit"),
                .product(name: "InterceptorKitTesting", package: "InterceptorKit"),
            ]
        ),
        .executableTarget(
            name: "soak",
            dependencies: [
                "Engines", "Loading", "Nginx", "ProcessFigures", "Reporting",
                .product(name: "InterceptorKit", package: "InterceptorKit"),
            ]
        ),
        .executableTarget(
            name: "memory",
            dependencies: [
                "Engines", "Nginx", "ProcessFigures", "Reporting",
                .product(name: "InterceptorKit", package: "InterceptorKit"),
                .product(name: "InterceptorKitTransfers", package: "InterceptorKit"),
            ]
        ),
        .target(
            name: "LibcurlLoad",
            linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]
        ),
        .executableTarget(
            name: "brownout",
            dependencies: [
                "Reporting",
                .product(name: "InterceptorKit", package: "InterceptorKit"),
                .product(name: "InterceptorKitCurl", package: "InterceptorKit"),
                .product(name: "InterceptorKitTesting", package: "InterceptorKit"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
            ]
        ),
        .target(
            name: "EngineRows",
            dependencies: [
                "LibcurlLoad", "Loading", "ProcessFigures", "Reporting",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
            ]
        ),
        .executableTarget(
            name: "engines",
            dependencies: [
                "EngineRows", "Engines", "Loading", "MallocCount", "Nginx", "Reporting",
            ]
        ),
        .executableTarget(
            name: "wire",
            dependencies: [
                "EngineRows", "Engines", "Loading", "MallocCount", "Nginx", "ProcessFigures",
                "Reporting",
                .product(name: "InterceptorKit", package: "InterceptorKit"),
            ]
        ),
        .target(
            name: "DigestRows",
            dependencies: [
                "Measuring",
                .product(name: "InterceptorKit", package: "InterceptorKit"),
                .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),
        .executableTarget(name: "digests", dependencies: ["DigestRows", "Measuring", "Reporting"]),
        .target(
            name: "RetryRows",
            dependencies: [
                "Measuring",
                .product(name: "InterceptorKit", package: "InterceptorKit"),
            ]
        ),
        .executableTarget(name: "retry", dependencies: ["Measuring", "Reporting", "RetryRows"]),
        .target(
            name: "EventRows",
            dependencies: [
                "Measuring",
                .product(name: "InterceptorKit", package: "InterceptorKit"),
            ]
        ),
        .executableTarget(name: "events", dependencies: ["EventRows", "Measuring", "Reporting"]),
        .target(
            name: "EndpointRows",
            dependencies: [
                "Measuring",
                .product(name: "InterceptorKit", package: "InterceptorKit"),
                .product(name: "InterceptorKitLoadBalancing", package: "InterceptorKit"),
                .product(name: "InterceptorKitTesting", package: "InterceptorKit"),
            ]
        ),
        .executableTarget(
            name: "endpoints",
            dependencies: [
                "EndpointRows", "Measuring", "Reporting",
                .product(name: "InterceptorKitLoadBalancing", package: "InterceptorKit"),
            ]
        ),
        .target(
            name: "StreamRows",
            dependencies: [
                "Measuring",
                .product(name: "InterceptorKit", package: "InterceptorKit"),
                .product(name: "InterceptorKitStreaming", package: "InterceptorKit"),
            ]
        ),
        .executableTarget(
            name: "streams",
            dependencies: ["Measuring", "ProcessFigures", "Reporting", "StreamRows"]
        ),
        .executableTarget(
            name: "fleet",
            dependencies: [
                "ProcessFigures", "Reporting",
                .product(name: "InterceptorKitRedis", package: "InterceptorKit"),
                .product(name: "InterceptorKitSharedState", package: "InterceptorKit"),
            ]
        ),
        .target(
            name: "CachingRows",
            dependencies: [
                "Measuring",
                .product(name: "InterceptorKit", package: "InterceptorKit"),
                .product(name: "InterceptorKitCaching", package: "InterceptorKit"),
                .product(name: "InterceptorKitCurl", package: "InterceptorKit"),
                .product(name: "InterceptorKitTesting", package: "InterceptorKit"),
            ]
        ),
        .executableTarget(
            name: "caching",
            dependencies: [
                "CachingRows", "Measuring", "Reporting",
            ]
        ),
        .target(
            name: "ServingRows",
            dependencies: [
                "Measuring", "Reporting",
                .product(name: "InterceptorKit", package: "InterceptorKit"),
                .product(name: "InterceptorKitCurl", package: "InterceptorKit"),
                .product(name: "InterceptorKitHummingbird", package: "InterceptorKit"),
                .product(name: "InterceptorKitSigning", package: "InterceptorKit"),
                .product(name: "InterceptorKitTesting", package: "InterceptorKit"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]
        ),
        .executableTarget(
            name: "serving",
            dependencies: [
                "Measuring", "Reporting", "ServingRows",
            ]
        ),
        .target(
            name: "SigningRows",
            dependencies: [
                "Measuring",
                .product(name: "InterceptorKit", package: "InterceptorKit"),
                .product(name: "InterceptorKitAWS", package: "InterceptorKit"),
                .product(name: "InterceptorKitSigning", package: "InterceptorKit"),
            ]
        ),
        .executableTarget(
            name: "signing",
            dependencies: [
                "Measuring", "Reporting", "SigningRows",
            ]
        ),
        .target(
            name: "ResilienceRows",
            dependencies: [
                "Measuring",
                .product(name: "InterceptorKit", package: "InterceptorKit"),
            ]
        ),
        .executableTarget(
            name: "resilience",
            dependencies: [
                "Measuring", "Reporting", "ResilienceRows",
            ]
        ),
        .target(
            name: "HopRows",
            dependencies: [
                "Measuring", "Reporting", "HandWrittenHops", "InterceptorHops", "GenericHops",
                "HummingbirdHops", "GRPCHops", "FoldHops",
                .product(name: "InterceptorKit", package: "InterceptorKit"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "GRPCCore", package: "grpc-swift-2"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .executableTarget(name: "hop", dependencies: ["HopRows"]),
        .executableTarget(
            name: "all",
            dependencies: [
                "CachingRows", "DigestRows", "EngineRows", "Engines", "EventRows", "HopRows",
                "Loading", "Measuring", "Nginx", "ProcessFigures", "Reporting",
                "ResilienceRows", "RetryRows", "ScheduleRows", "ServingRows", "SigningRows",
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)
