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

/// Those of tests, which no dependant builds: one job compiles a module, because each job expands the macros of all of
/// its files. The driver remarks that it does so without increments.
let testSettings: [SwiftSetting] =
    settings + [
        .unsafeFlags([
            "-whole-module-optimization", "-num-threads", "2", "-no-emit-module-separately-wmo",
            "-disable-batch-mode",
        ])
    ]

/// Resolved only by those who switch the trait on.
func product(_ name: String, of package: String, trait: String) -> Target.Dependency {
    .product(name: name, package: package, condition: .when(traits: [trait]))
}

let asyncHTTPClient = [
    product("AsyncHTTPClient", of: "async-http-client", trait: "AsyncHTTPClient"),
    product("NIOCore", of: "swift-nio", trait: "AsyncHTTPClient"),
    product("NIOFoundationEssentialsCompat", of: "swift-nio", trait: "AsyncHTTPClient"),
    product("NIOHPACK", of: "swift-nio-http2", trait: "AsyncHTTPClient"),
    product("NIOHTTP1", of: "swift-nio", trait: "AsyncHTTPClient"),
    product("NIOHTTP2", of: "swift-nio-http2", trait: "AsyncHTTPClient"),
    product("NIOPosix", of: "swift-nio", trait: "AsyncHTTPClient"),
    product("NIOSSL", of: "swift-nio-ssl", trait: "AsyncHTTPClient"),
]

let redis = [
    product("NIOCore", of: "swift-nio", trait: "Redis"),
    product("NIOPosix", of: "swift-nio", trait: "Redis"),
    product("NIOSSL", of: "swift-nio-ssl", trait: "RedisTLS"),
]

let hummingbird = [
    product("Hummingbird", of: "hummingbird", trait: "Hummingbird"),
    product("HTTPTypes", of: "swift-http-types", trait: "Hummingbird"),
    product("NIOCore", of: "swift-nio", trait: "Hummingbird"),
    product("NIOFoundationEssentialsCompat", of: "swift-nio", trait: "Hummingbird"),
]

let crypto = [
    product("Crypto", of: "swift-crypto", trait: "Crypto"),
    product("CryptoExtras", of: "swift-crypto", trait: "Crypto"),
]

let serviceLifecycle = [
    product("ServiceLifecycle", of: "swift-service-lifecycle", trait: "ServiceLifecycle")
]

let telemetry = [
    product("Logging", of: "swift-log", trait: "Logging"),
    product("Metrics", of: "swift-metrics", trait: "Metrics"),
    product("Tracing", of: "swift-distributed-tracing", trait: "Tracing"),
]

/// A module of its own beside InterceptorKit, for those who want what it holds.
func leaf(_ name: String, _ more: [Target.Dependency] = []) -> Target {
    .target(
        name: name,
        dependencies: ["InterceptorKit", "InterceptorKitConcurrency"] + more,
        swiftSettings: settings
    )
}

/// The tests of a leaf, with what the tests of several modules share.
func leafTests(_ name: String, _ more: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: "\(name)Tests",
        dependencies: [
            "BoundedWaits", "ConformanceVectors", "Expectations", "InterceptorKit",
            "InterceptorKitTesting", "TestRun", "TestSupport", .target(name: name),
        ] + more,
        swiftSettings: testSettings
    )
}

/// A part of the tests of InterceptorKit or its core: some of the folders, so that parts are compiled side by side.
func part(
    _ name: String,
    of module: String,
    _ folders: [String],
    outOf all: [String],
    _ modules: [Target.Dependency]
) -> Target {
    .testTarget(
        name: name,
        dependencies: [
            "ConformanceVectors", "Expectations", "InterceptorKit", "InterceptorKitConcurrency",
            "InterceptorKitCore", "InterceptorKitInspection", "InterceptorKitSigning",
            "InterceptorKitTesting", "InterceptorKitTransfers", "Scenarios", "TestRun",
            "TestSupport",
        ] + modules,
        path: "Tests/\(module)Tests",
        exclude: all.filter { !folders.contains($0) },
        swiftSettings: testSettings
    )
}

func kitTests(_ name: String, _ folders: [String]) -> Target {
    part(
        name,
        of: "InterceptorKit",
        folders,
        outOf: [
            "Client", "Digests", "Failures", "Guides", "HTTP", "Interceptors", "Observation",
            "Standard",
        ],
        ["CacheFiller", "InterceptorKitAuthentication", "InterceptorKitCaching"]
    )
}

func coreTests(_ name: String, _ folders: [String]) -> Target {
    part(
        name,
        of: "InterceptorKitCore",
        folders,
        outOf: ["Chain", "Redaction", "Resilience", "Retry", "Standard", "Support"],
        ["BoundedWaits"]
    )
}

let package = Package(
    name: "InterceptorKit",
    // Mutex, task executors and typed throws need these; Linux has no lower bound.
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "InterceptorKit", targets: ["InterceptorKit"]),
        .library(name: "InterceptorKitCore", targets: ["InterceptorKitCore"]),
        .library(name: "InterceptorKitSigning", targets: ["InterceptorKitSigning"]),
        .library(name: "InterceptorKitAuthentication", targets: ["InterceptorKitAuthentication"]),
        .library(name: "InterceptorKitAWS", targets: ["InterceptorKitAWS"]),
        .library(name: "InterceptorKitCaching", targets: ["InterceptorKitCaching"]),
        .library(name: "InterceptorKitLoadBalancing", targets: ["InterceptorKitLoadBalancing"]),
        .library(name: "InterceptorKitTransfers", targets: ["InterceptorKitTransfers"]),
        .library(name: "InterceptorKitStreaming", targets: ["InterceptorKitStreaming"]),
        .library(name: "InterceptorKitPagination", targets: ["InterceptorKitPagination"]),
        .library(name: "InterceptorKitPolling", targets: ["InterceptorKitPolling"]),
        .library(name: "InterceptorKitSharedState", targets: ["InterceptorKitSharedState"]),
        .library(name: "InterceptorKitFaults", targets: ["InterceptorKitFaults"]),
        .library(name: "InterceptorKitInspection", targets: ["InterceptorKitInspection"]),
        .library(name: "InterceptorKitTransport", targets: ["InterceptorKitTransport"]),
        .library(name: "InterceptorKitCurl", targets: ["InterceptorKitCurl"]),
        .library(name: "InterceptorKitLoopback", targets: ["InterceptorKitLoopback"]),
        .library(name: "InterceptorKitTesting", targets: ["InterceptorKitTesting"]),
        .library(name: "InterceptorKitConformance", targets: ["InterceptorKitConformance"]),
        .library(name: "InterceptorKitTestingTraits", targets: ["InterceptorKitTestingTraits"]),
        .library(
            name: "InterceptorKitTestingRecording",
            targets: ["InterceptorKitTestingRecording"]
        ),
        .library(
            name: "InterceptorKitTestingTransfers",
            targets: ["InterceptorKitTestingTransfers"]
        ),
        .library(
            name: "InterceptorKitTestingStreaming",
            targets: ["InterceptorKitTestingStreaming"]
        ),
        .library(
            name: "InterceptorKitTestingSharedState",
            targets: ["InterceptorKitTestingSharedState"]
        ),
        .library(name: "InterceptorKitEtcd", targets: ["InterceptorKitEtcd"]),
        .library(name: "InterceptorKitAsyncHTTPClient", targets: ["InterceptorKitAsyncHTTPClient"]),
        .library(name: "InterceptorKitHTTPTypes", targets: ["InterceptorKitHTTPTypes"]),
        .library(name: "InterceptorKitHummingbird", targets: ["InterceptorKitHummingbird"]),
        .library(name: "InterceptorKitRedis", targets: ["InterceptorKitRedis"]),
        .library(name: "InterceptorKitCrypto", targets: ["InterceptorKitCrypto"]),
        .library(name: "InterceptorKitTelemetry", targets: ["InterceptorKitTelemetry"]),
        .library(name: "InterceptorKitConfiguration", targets: ["InterceptorKitConfiguration"]),
        .library(
            name: "InterceptorKitServiceLifecycle",
            targets: ["InterceptorKitServiceLifecycle"]
        ),
    ],
    // None is on by default, so that whoever depends on this package resolves no other one.
    traits: [
        .trait(
            name: "AsyncHTTPClient",
            description: "AsyncHTTPClientTransport, on swift-server/async-http-client."
        ),
        .trait(
            name: "HTTPTypes",
            description: "Conversions from and to the types of apple/swift-http-types."
        ),
        .trait(
            name: "Hummingbird",
            description: "Chains on the serving side, in hummingbird-project/hummingbird.",
            enabledTraits: ["HTTPTypes"]
        ),
        .trait(
            name: "Redis",
            description: "Stores of a fleet in Redis or Valkey, on apple/swift-nio."
        ),
        .trait(
            name: "RedisTLS",
            description: "Redis or Valkey over TLS, with apple/swift-nio-ssl.",
            enabledTraits: ["Redis"]
        ),
        .trait(
            name: "Crypto",
            description: "Signatures by private keys, with apple/swift-crypto."
        ),
        .trait(
            name: "Logging",
            description: "Log lines of calls, with apple/swift-log."
        ),
        .trait(
            name: "Metrics",
            description: "Metrics of sends and decisions, with apple/swift-metrics."
        ),
        .trait(
            name: "Tracing",
            description: "Spans of calls and attempts, with apple/swift-distributed-tracing."
        ),
        .trait(
            name: "Configuration",
            description:
                "A client's settings from apple/swift-configuration, replaced while it is used."
        ),
        .trait(
            name: "ServiceLifecycle",
            description: "Graceful shutdown of clients, in swift-server/swift-service-lifecycle."
        ),
    ],
    dependencies: [
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-http2.git", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.0"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
        .package(
            url: "https://github.com/hummingbird-project/hummingbird.git",
            from: "2.28.1",
            traits: []
        ),
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.7.3"),
        // Without its own traits, which are the dependant's to choose.
        .package(
            url: "https://github.com/apple/swift-configuration.git",
            from: "1.4.0",
            traits: []
        ),
        .package(
            url: "https://github.com/swift-server/swift-service-lifecycle.git",
            from: "2.13.0"
        ),
    ],
    targets: [
        // What the other modules share beneath their interfaces: no product, and `package` alone.
        .target(name: "InterceptorKitConcurrency", swiftSettings: settings),
        // The chain and what works for any input: retry, resilience, redaction. It knows no HTTP.
        .target(
            name: "InterceptorKitCore",
            dependencies: ["InterceptorKitConcurrency"],
            swiftSettings: settings
        ),
        .target(
            name: "InterceptorKit",
            dependencies: ["InterceptorKitConcurrency", "InterceptorKitCore"],
            swiftSettings: settings,
            // Opens the system's zlib when a body is compressed, and libcrypto when much is hashed; neither is
            // linked.
            linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]
        ),
        leaf("InterceptorKitSigning"),
        leaf("InterceptorKitAuthentication"),
        leaf("InterceptorKitCaching"),
        leaf("InterceptorKitLoadBalancing"),
        leaf("InterceptorKitTransfers"),
        leaf("InterceptorKitStreaming"),
        leaf("InterceptorKitPagination"),
        leaf("InterceptorKitPolling"),
        leaf("InterceptorKitSharedState", ["InterceptorKitSigning"]),
        leaf("InterceptorKitFaults"),
        leaf("InterceptorKitInspection"),
        // Apart from InterceptorKitTesting, so that who needs a server alone does not build what tests.
        leaf("InterceptorKitLoopback"),
        // One request and its response, for the engines: no product, and `package` alone.
        .target(
            name: "InterceptorKitEngine",
            dependencies: ["InterceptorKit", "InterceptorKitConcurrency"],
            swiftSettings: settings
        ),
        .target(
            name: "InterceptorKitTransport",
            dependencies: ["InterceptorKit", "InterceptorKitConcurrency", "InterceptorKitEngine"],
            swiftSettings: settings
        ),
        // Opens the system's libcurl when a transport is made; nothing is linked.
        .target(
            name: "CInterceptorKitCurl",
            linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]
        ),
        .target(
            name: "InterceptorKitCurl",
            dependencies: [
                "CInterceptorKitCurl", "InterceptorKit", "InterceptorKitConcurrency",
                "InterceptorKitEngine",
            ],
            swiftSettings: settings
        ),
        .target(
            name: "InterceptorKitTesting",
            dependencies: [
                "InterceptorKit", "InterceptorKitConcurrency", "InterceptorKitFaults",
                "InterceptorKitLoopback",
            ],
            swiftSettings: settings
        ),
        // Apart, so that who tests does not build what tries transports.
        .target(
            name: "InterceptorKitConformance",
            dependencies: ["InterceptorKit", "InterceptorKitConcurrency", "InterceptorKitTesting"],
            swiftSettings: settings
        ),
        // Apart from InterceptorKitTesting, so that programs which use that do not link Swift Testing.
        .target(
            name: "InterceptorKitTestingTraits",
            dependencies: ["InterceptorKitTesting"],
            swiftSettings: settings
        ),
        // Apart, so that who tests does not build what archives and transfers files.
        .target(
            name: "InterceptorKitTestingRecording",
            dependencies: [
                "InterceptorKit", "InterceptorKitConcurrency", "InterceptorKitInspection",
                "InterceptorKitTesting",
            ],
            swiftSettings: settings
        ),
        .target(
            name: "InterceptorKitTestingTransfers",
            dependencies: [
                "InterceptorKit", "InterceptorKitConformance", "InterceptorKitTesting",
                "InterceptorKitTransfers",
            ],
            swiftSettings: settings
        ),
        .target(
            name: "InterceptorKitTestingStreaming",
            dependencies: [
                "InterceptorKit", "InterceptorKitConcurrency", "InterceptorKitConformance",
                "InterceptorKitStreaming", "InterceptorKitTesting",
            ],
            swiftSettings: settings
        ),
        .target(
            name: "InterceptorKitTestingSharedState",
            dependencies: [
                "InterceptorKit", "InterceptorKitConcurrency", "InterceptorKitConformance",
                "InterceptorKitSharedState", "InterceptorKitSigning",
            ],
            swiftSettings: settings
        ),
        .target(
            name: "InterceptorKitAWS",
            dependencies: ["InterceptorKit", "InterceptorKitConcurrency", "InterceptorKitSigning"],
            swiftSettings: settings
        ),
        .target(
            name: "InterceptorKitEtcd",
            dependencies: [
                "InterceptorKit", "InterceptorKitAuthentication", "InterceptorKitConcurrency",
                "InterceptorKitLoadBalancing", "InterceptorKitSharedState", "InterceptorKitSigning",
            ],
            swiftSettings: settings
        ),
        .target(
            name: "InterceptorKitAsyncHTTPClient",
            dependencies: ["InterceptorKit", "InterceptorKitConcurrency"] + asyncHTTPClient,
            swiftSettings: settings
        ),
        .target(
            name: "InterceptorKitHTTPTypes",
            dependencies: [
                "InterceptorKit",
                product("HTTPTypes", of: "swift-http-types", trait: "HTTPTypes"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "InterceptorKitHummingbird",
            dependencies: [
                "InterceptorKit", "InterceptorKitConcurrency", "InterceptorKitHTTPTypes",
            ] + hummingbird,
            swiftSettings: settings
        ),
        .target(
            name: "InterceptorKitRedis",
            dependencies: [
                "InterceptorKit", "InterceptorKitAuthentication", "InterceptorKitConcurrency",
                "InterceptorKitSharedState", "InterceptorKitSigning",
            ] + redis,
            swiftSettings: settings
        ),
        .target(
            name: "InterceptorKitCrypto",
            dependencies: [
                "InterceptorKit", "InterceptorKitAuthentication", "InterceptorKitSigning",
            ] + crypto,
            swiftSettings: settings
        ),
        .target(
            name: "InterceptorKitTelemetry",
            dependencies: ["InterceptorKit", "InterceptorKitConcurrency"] + telemetry,
            swiftSettings: settings
        ),
        .target(
            name: "InterceptorKitConfiguration",
            dependencies: [
                "InterceptorKit", "InterceptorKitConcurrency",
                product("Configuration", of: "swift-configuration", trait: "Configuration"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "InterceptorKitServiceLifecycle",
            dependencies: ["InterceptorKit"] + serviceLifecycle,
            swiftSettings: settings
        ),
        .executableTarget(
            name: "Quickstart",
            dependencies: [
                "InterceptorKit", "InterceptorKitCurl", "InterceptorKitInspection",
                "InterceptorKitLoopback", "InterceptorKitTransport",
                .target(
                    name: "InterceptorKitAsyncHTTPClient",
                    condition: .when(traits: ["AsyncHTTPClient"])
                ),
            ],
            path: "Examples/Quickstart",
            swiftSettings: settings
        ),
        .testTarget(
            name: "QuickstartTests",
            dependencies: [
                "Expectations", "InterceptorKit", "InterceptorKitInspection", "Quickstart",
                "TestRun",
            ],
            swiftSettings: testSettings
        ),
        .executableTarget(
            name: "Resilience",
            dependencies: [
                "InterceptorKit", "InterceptorKitLoadBalancing", "InterceptorKitTesting",
            ],
            path: "Examples/Resilience",
            swiftSettings: settings
        ),
        .testTarget(
            name: "ResilienceTests",
            dependencies: [
                "ConformanceVectors", "Expectations", "InterceptorKit", "InterceptorKitTesting",
                "Resilience", "TestRun", "TestSupport",
            ],
            swiftSettings: testSettings
        ),
        // A module whose types belong to the main actor, as those of a new app target do.
        .testTarget(
            name: "MainActorTests",
            dependencies: ["InterceptorKit", "InterceptorKitTesting"],
            swiftSettings: testSettings + [.defaultIsolation(MainActor.self)]
        ),
        // What tests expect, as functions.
        .target(name: "Expectations", path: "Tests/Expectations", swiftSettings: testSettings),
        // How tests share the machine: their tags, turns and threads.
        .target(name: "TestRun", path: "Tests/TestRun", swiftSettings: testSettings),
        // A process that fills a store until it is killed.
        .executableTarget(
            name: "CacheFiller",
            dependencies: ["InterceptorKit", "InterceptorKitCaching"],
            path: "Tests/CacheFiller",
            swiftSettings: testSettings
        ),
        // Storms of calls and planted secrets, for the properties of several modules.
        .target(
            name: "Scenarios",
            dependencies: ["InterceptorKit", "InterceptorKitTesting"],
            path: "Tests/Scenarios",
            swiftSettings: testSettings
        ),
        kitTests("InterceptorKitTests", ["Client", "Observation", "Standard"]),
        kitTests("InterceptorKitMessageTests", ["Digests", "Guides", "HTTP"]),
        kitTests("InterceptorKitInterceptorTests", ["Failures", "Interceptors"]),
        coreTests("InterceptorKitCoreTests", ["Chain", "Redaction", "Standard", "Support"]),
        coreTests("InterceptorKitResilienceTests", ["Resilience"]),
        coreTests("InterceptorKitRetryTests", ["Retry"]),
        .testTarget(
            name: "InterceptorKitConcurrencyTests",
            dependencies: [
                "Expectations", "InterceptorKit", "InterceptorKitConcurrency",
                "InterceptorKitTesting", "TestRun", "TestSupport",
            ],
            swiftSettings: testSettings
        ),
        leafTests("InterceptorKitSigning"),
        leafTests("InterceptorKitAuthentication"),
        leafTests(
            "InterceptorKitAWS",
            ["InterceptorKitConcurrency", "InterceptorKitCurl", "InterceptorKitSigning"]
        ),
        leafTests("InterceptorKitCaching", ["CacheFiller"]),
        leafTests("InterceptorKitLoadBalancing"),
        leafTests("InterceptorKitTransfers"),
        leafTests("InterceptorKitStreaming"),
        leafTests("InterceptorKitPagination"),
        leafTests("InterceptorKitPolling"),
        leafTests(
            "InterceptorKitSharedState",
            [
                "InterceptorKitConcurrency", "InterceptorKitConformance", "InterceptorKitSigning",
                "InterceptorKitTestingSharedState",
            ]
        ),
        leafTests("InterceptorKitFaults"),
        leafTests("InterceptorKitInspection"),
        // Services, streams and recorders that the tests of several modules share.
        .target(
            name: "TestSupport",
            dependencies: [
                "Expectations", "InterceptorKit", "InterceptorKitConcurrency",
                "InterceptorKitTesting", "TestRun",
            ],
            path: "Tests/TestSupport",
            swiftSettings: testSettings
        ),
        // The published vectors that several suites are tried with.
        .target(
            name: "ConformanceVectors",
            dependencies: [
                "InterceptorKit", "InterceptorKitCaching", "InterceptorKitConcurrency",
                "InterceptorKitConformance", "InterceptorKitTesting",
            ],
            path: "Tests/ConformanceVectors",
            swiftSettings: testSettings
        ),
        // The events that tests wait for, and the only place where they let time pass.
        .target(
            name: "BoundedWaits",
            dependencies: ["InterceptorKit", "InterceptorKitConcurrency"],
            path: "Tests/BoundedWaits",
            swiftSettings: testSettings
        ),
        // What the engines have in common beside conformance; each says what is under way in it.
        .target(
            name: "EngineScenarios",
            dependencies: [
                "Expectations", "InterceptorKit", "InterceptorKitAuthentication",
                "InterceptorKitCaching", "InterceptorKitConcurrency", "InterceptorKitConformance",
                "InterceptorKitSigning", "InterceptorKitStreaming", "InterceptorKitTesting",
                "InterceptorKitTestingStreaming", "TestRun",
            ],
            path: "Tests/EngineScenarios",
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "InterceptorKitEngineTests",
            dependencies: [
                "EngineScenarios", "Expectations", "InterceptorKit", "InterceptorKitEngine",
                "InterceptorKitTesting",
            ],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "InterceptorKitTransportTests",
            dependencies: [
                "BoundedWaits", "ConformanceVectors", "EngineScenarios", "Expectations",
                "InterceptorKit", "InterceptorKitCaching", "InterceptorKitConcurrency",
                "InterceptorKitConformance", "InterceptorKitEngine", "InterceptorKitInspection",
                "InterceptorKitTesting", "InterceptorKitTestingRecording",
                "InterceptorKitTestingStreaming", "InterceptorKitTestingTransfers",
                "InterceptorKitTransfers", "InterceptorKitTransport", "TestRun",
            ],
            swiftSettings: testSettings
        ),
        // Empty until the module's trait is switched on, like the next one.
        .testTarget(
            name: "InterceptorKitAsyncHTTPClientTests",
            dependencies: [
                "Expectations",
                "ConformanceVectors", "EngineScenarios", "InterceptorKit",
                "InterceptorKitAsyncHTTPClient", "InterceptorKitConcurrency",
                "InterceptorKitConformance", "InterceptorKitTesting",
                "InterceptorKitTestingStreaming", "InterceptorKitTestingTransfers", "TestRun",
                product(
                    "InMemoryTracing",
                    of: "swift-distributed-tracing",
                    trait: "AsyncHTTPClient"
                ),
            ] + asyncHTTPClient,
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "InterceptorKitHTTPTypesTests",
            dependencies: [
                "Expectations",
                "InterceptorKit", "InterceptorKitHTTPTypes", "InterceptorKitTesting",
                product("HTTPTypes", of: "swift-http-types", trait: "HTTPTypes"),
            ],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "InterceptorKitHummingbirdTests",
            dependencies: [
                "Expectations",
                "InterceptorKit", "InterceptorKitConcurrency", "InterceptorKitCurl",
                "InterceptorKitHummingbird", "InterceptorKitSigning", "InterceptorKitTesting",
                "TestRun",
                product("HummingbirdCore", of: "hummingbird", trait: "Hummingbird"),
                product("HummingbirdHTTP2", of: "hummingbird", trait: "Hummingbird"),
                product("HummingbirdTesting", of: "hummingbird", trait: "Hummingbird"),
                product("NIOPosix", of: "swift-nio", trait: "Hummingbird"),
                product("NIOSSL", of: "swift-nio-ssl", trait: "Hummingbird"),
            ] + hummingbird,
            swiftSettings: testSettings
        ),
        // Processes that share a limit, and one that is killed while it holds a key.
        .executableTarget(
            name: "FleetWorker",
            dependencies: [
                "InterceptorKit", "InterceptorKitRedis", "InterceptorKitSharedState",
                "InterceptorKitSigning",
            ],
            path: "Tests/FleetWorker",
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "InterceptorKitRedisTests",
            dependencies: [
                "BoundedWaits", "CredentialFleet", "CredentialWorker", "Expectations",
                "FleetWorker", "IdempotencyFleet", "IdempotencyWorker", "InterceptorKit",
                "InterceptorKitAuthentication", "InterceptorKitConcurrency",
                "InterceptorKitConformance", "InterceptorKitRedis", "InterceptorKitSharedState",
                "InterceptorKitSigning", "InterceptorKitTesting",
                "InterceptorKitTestingSharedState", "TestRun", "TestSupport",
            ] + redis,
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "InterceptorKitCryptoTests",
            dependencies: [
                "BoundedWaits", "ConformanceVectors", "Expectations", "InterceptorKit",
                "InterceptorKitAuthentication", "InterceptorKitCrypto", "InterceptorKitCurl",
                "InterceptorKitSigning", "TestRun",
            ] + crypto,
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "InterceptorKitTelemetryTests",
            dependencies: [
                "Expectations",
                "InterceptorKit", "InterceptorKitTelemetry", "InterceptorKitTesting", "Scenarios",
                "TestRun",
                product("InMemoryLogging", of: "swift-log", trait: "Logging"),
                product("MetricsTestKit", of: "swift-metrics", trait: "Metrics"),
            ] + telemetry,
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "InterceptorKitConfigurationTests",
            dependencies: [
                "Expectations",
                "BoundedWaits", "InterceptorKit", "InterceptorKitConcurrency",
                "InterceptorKitConfiguration", "InterceptorKitCurl", "InterceptorKitTesting",
                "TestRun", "TestSupport",
                product("Configuration", of: "swift-configuration", trait: "Configuration"),
            ],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "InterceptorKitServiceLifecycleTests",
            dependencies: [
                "Expectations",
                "BoundedWaits", "InterceptorKit", "InterceptorKitConcurrency",
                "InterceptorKitCurl", "InterceptorKitLoadBalancing",
                "InterceptorKitServiceLifecycle", "InterceptorKitTesting", "TestRun",
                "TestSupport",
                product(
                    "ServiceLifecycleTestKit",
                    of: "swift-service-lifecycle",
                    trait: "ServiceLifecycle"
                ),
                product(
                    "UnixSignals",
                    of: "swift-service-lifecycle",
                    trait: "ServiceLifecycle"
                ),
                product("Logging", of: "swift-log", trait: "ServiceLifecycle"),
            ] + serviceLifecycle,
            swiftSettings: testSettings
        ),
        // A process of its own, which can be given another libcurl.
        .executableTarget(
            name: "CurlProbe",
            dependencies: ["InterceptorKit", "InterceptorKitCurl"],
            path: "Tests/CurlProbe",
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "InterceptorKitCurlTests",
            dependencies: [
                "BoundedWaits", "ConformanceVectors", "CurlProbe", "EngineScenarios",
                "Expectations", "InterceptorKit", "InterceptorKitCaching",
                "InterceptorKitConcurrency", "InterceptorKitConformance", "InterceptorKitCurl",
                "InterceptorKitEngine", "InterceptorKitStreaming", "InterceptorKitTesting",
                "InterceptorKitTestingStreaming", "InterceptorKitTestingTransfers", "TestRun",
            ],
            swiftSettings: testSettings
        ),
        // Processes that share a credential, and what they call.
        .target(
            name: "CredentialFleet",
            dependencies: [
                "BoundedWaits", "Expectations", "InterceptorKit", "InterceptorKitAuthentication",
                "InterceptorKitConcurrency", "InterceptorKitTesting",
            ],
            path: "Tests/CredentialFleet",
            swiftSettings: testSettings
        ),
        .executableTarget(
            name: "CredentialWorker",
            dependencies: [
                "InterceptorKit", "InterceptorKitAuthentication", "InterceptorKitConcurrency",
                "InterceptorKitCurl", "InterceptorKitEtcd", "InterceptorKitRedis",
            ],
            path: "Tests/CredentialWorker",
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "SharedCredentialTests",
            dependencies: [
                "CredentialFleet", "CredentialWorker", "InterceptorKit",
                "InterceptorKitAuthentication", "TestRun",
            ],
            swiftSettings: testSettings
        ),
        // Replicas that share idempotency records, and what they change.
        .target(
            name: "IdempotencyFleet",
            dependencies: [
                "BoundedWaits", "InterceptorKit", "InterceptorKitConcurrency",
                "InterceptorKitTesting",
            ],
            path: "Tests/IdempotencyFleet",
            swiftSettings: testSettings
        ),
        .executableTarget(
            name: "IdempotencyWorker",
            dependencies: [
                "InterceptorKit", "InterceptorKitConcurrency", "InterceptorKitCurl",
                "InterceptorKitEtcd", "InterceptorKitRedis", "InterceptorKitSharedState",
            ],
            path: "Tests/IdempotencyWorker",
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "InterceptorKitEtcdTests",
            dependencies: [
                "BoundedWaits", "CredentialFleet", "CredentialWorker", "Expectations",
                "IdempotencyFleet", "IdempotencyWorker", "InterceptorKit",
                "InterceptorKitAuthentication", "InterceptorKitConcurrency",
                "InterceptorKitConformance", "InterceptorKitCurl", "InterceptorKitEtcd",
                "InterceptorKitLoadBalancing", "InterceptorKitSharedState", "InterceptorKitSigning",
                "InterceptorKitTesting", "InterceptorKitTestingSharedState", "TestRun",
            ],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "InterceptorKitTestingTraitsTests",
            dependencies: [
                "Expectations", "InterceptorKit", "InterceptorKitConcurrency",
                "InterceptorKitTesting", "InterceptorKitTestingTraits",
            ],
            swiftSettings: testSettings
        ),
        // A transport that conforms, and breaks as told for the conformance suites to find out.
        .target(
            name: "ConformanceReference",
            dependencies: ["InterceptorKit", "InterceptorKitConcurrency"],
            path: "Tests/ConformanceReference",
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "InterceptorKitTestingTests",
            dependencies: [
                "ConformanceReference", "Expectations", "InterceptorKit",
                "InterceptorKitConcurrency", "InterceptorKitConformance", "InterceptorKitLoopback",
                "InterceptorKitTesting", "TestRun",
            ],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "InterceptorKitTestingTransfersTests",
            dependencies: [
                "ConformanceReference", "Expectations", "InterceptorKit",
                "InterceptorKitConcurrency", "InterceptorKitConformance", "InterceptorKitTesting",
                "InterceptorKitTestingTransfers", "InterceptorKitTransfers", "TestRun",
            ],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "InterceptorKitTestingStreamingTests",
            dependencies: [
                "ConformanceReference", "EngineScenarios", "Expectations", "InterceptorKit",
                "InterceptorKitConcurrency", "InterceptorKitConformance", "InterceptorKitStreaming",
                "InterceptorKitTesting", "InterceptorKitTestingStreaming", "TestRun",
            ],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "InterceptorKitTestingSharedStateTests",
            dependencies: [
                "Expectations", "InterceptorKit", "InterceptorKitConcurrency",
                "InterceptorKitConformance", "InterceptorKitSharedState", "InterceptorKitSigning",
                "InterceptorKitTesting", "InterceptorKitTestingSharedState", "TestRun",
            ],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "InterceptorKitTestingRecordingTests",
            dependencies: [
                "Expectations", "InterceptorKit", "InterceptorKitInspection",
                "InterceptorKitTesting", "InterceptorKitTestingRecording", "TestSupport",
            ],
            swiftSettings: testSettings
        ),
    ],
    swiftLanguageModes: [.v6]
)
