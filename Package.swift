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

/// Products of other packages, which only those resolve who switch the trait on.
func behind(_ trait: String, _ packages: KeyValuePairs<String, [String]>) -> [Target.Dependency] {
    packages.flatMap { package, products in
        products.map { .product(name: $0, package: package, condition: .when(traits: [trait])) }
    }
}

let asyncHTTPClient = behind(
    "AsyncHTTPClient",
    [
        "async-http-client": ["AsyncHTTPClient"],
        "swift-nio": ["NIOCore", "NIOFoundationEssentialsCompat", "NIOHTTP1", "NIOPosix"],
        "swift-nio-http2": ["NIOHPACK", "NIOHTTP2"],
        "swift-nio-ssl": ["NIOSSL"],
    ]
)
let redis =
    behind("Redis", ["swift-nio": ["NIOCore", "NIOPosix"]])
    + behind("RedisTLS", ["swift-nio-ssl": ["NIOSSL"]])
let httpTypes = behind("HTTPTypes", ["swift-http-types": ["HTTPTypes"]])
let hummingbird = behind(
    "Hummingbird",
    [
        "hummingbird": ["Hummingbird"],
        "swift-http-types": ["HTTPTypes"],
        "swift-nio": ["NIOCore", "NIOFoundationEssentialsCompat"],
    ]
)
let crypto = behind("Crypto", ["swift-crypto": ["Crypto", "CryptoExtras"]])
let jwt = behind("JWT", ["jwt-kit": ["JWTKit"]])
let configuration = behind("Configuration", ["swift-configuration": ["Configuration"]])
let lifecycle = behind("ServiceLifecycle", ["swift-service-lifecycle": ["ServiceLifecycle"]])
let telemetry =
    behind("Logging", ["swift-log": ["Logging"]])
    + behind("Metrics", ["swift-metrics": ["Metrics"]])
    + behind("Tracing", ["swift-distributed-tracing": ["Tracing"]])

/// Targets by their names, each with what it depends on beside what all of its kind do.
typealias Targets = KeyValuePairs<String, [Target.Dependency]>

/// Modules by what follows `InterceptorKit` in their names.
func kit(_ modules: String...) -> [Target.Dependency] {
    modules.map { .byName(name: "InterceptorKit\($0)") }
}

/// On the system's C library, whose `dlopen` is in a library of its own on older systems.
let dynamicLoading = [LinkerSetting.linkedLibrary("dl", .when(platforms: [.linux]))]

/// The chain, HTTP, and what they stand on.
let base: [Target] = [
    // What the other modules share beneath their interfaces: no product, and `package` alone.
    library("InterceptorKitConcurrency", []),
    // The chain and what works for any input: retry, resilience, redaction. It knows no HTTP.
    library("InterceptorKitCore", ["InterceptorKitConcurrency"]),
    // Opens the system's zlib when a body is compressed, and libcrypto when much is hashed; neither is linked.
    .target(
        name: "InterceptorKit",
        dependencies: ["InterceptorKitConcurrency", "InterceptorKitCore"],
        swiftSettings: settings,
        linkerSettings: dynamicLoading
    ),
    // Opens the system's libcurl when a transport is made; nothing is linked.
    .target(name: "CInterceptorKitCurl", linkerSettings: dynamicLoading),
]

/// Modules on InterceptorKit alone.
let modules: Targets = [
    "InterceptorKitForms": [],
    "InterceptorKitHTTPTypes": httpTypes,
    "InterceptorKitCrypto": kit("Authentication", "Signing") + crypto,
    "InterceptorKitServiceLifecycle": lifecycle,
]

/// Modules on InterceptorKit and InterceptorKitConcurrency.
let concurrentModules: Targets = [
    "InterceptorKitSigning": [],
    "InterceptorKitAuthentication": [],
    "InterceptorKitCaching": [],
    "InterceptorKitLoadBalancing": [],
    "InterceptorKitTransfers": [],
    "InterceptorKitStreaming": [],
    "InterceptorKitOperations": [],
    "InterceptorKitSharedState": kit("Signing"),
    "InterceptorKitFaults": [],
    "InterceptorKitAWS": kit("Signing"),
    "InterceptorKitEtcd": kit("Authentication", "LoadBalancing", "SharedState", "Signing"),

    // One request and its response, for the engines: no product, and `package` alone.
    "InterceptorKitEngine": [],
    "InterceptorKitTransport": kit("Engine"),
    "InterceptorKitRouting": kit("Transport"),
    "InterceptorKitCurl": ["CInterceptorKitCurl"] + kit("Engine"),

    // Empty until their traits are switched on.
    "InterceptorKitAsyncHTTPClient": asyncHTTPClient,
    "InterceptorKitHummingbird": kit("HTTPTypes") + hummingbird,
    "InterceptorKitRedis": kit("Authentication", "SharedState", "Signing") + redis,
    "InterceptorKitTelemetry": telemetry,
    "InterceptorKitJWT": kit("Authentication", "Signing") + jwt,
    "InterceptorKitConfiguration": configuration,

    // Apart from InterceptorKitTesting, so that who needs a server alone does not build what tests.
    "InterceptorKitLoopback": [],
    "InterceptorKitTesting": kit("Faults", "Inspection", "Loopback"),
    // Apart, so that who tests does not build what tries transports, streams, files and stores.
    "InterceptorKitConformance": kit("SharedState", "Signing", "Streaming", "Testing", "Transfers"),
]

/// What the tests of every engine depend on.
let engineTests: [Target.Dependency] =
    ["ConformanceVectors", "EngineScenarios", "TestRun"]
    + kit("Concurrency", "Conformance")

/// What the tests of stores depend on that a fleet shares.
let fleetTests: [Target.Dependency] =
    ["BoundedWaits", "CredentialFleet", "CredentialWorker", "IdempotencyFleet"]
    + ["IdempotencyWorker", "TestRun"]
    + kit("Authentication", "Concurrency", "Conformance", "SharedState", "Signing")

/// What the tests of a module depend on beside it, what expects, InterceptorKit and its test kit.
let moduleTests: Targets = [
    "InterceptorKitEngine": ["EngineScenarios"],
    "InterceptorKitTransport": engineTests + ["BoundedWaits"]
        + kit("Caching", "Engine", "Inspection", "Transfers"),
    "InterceptorKitRouting": ["EngineScenarios", "TestRun"] + kit("Concurrency", "Transport"),
    "InterceptorKitCurl": engineTests + ["BoundedWaits", "CurlProbe"]
        + kit("Caching", "Engine", "Streaming"),
    "InterceptorKitEtcd": fleetTests + kit("Curl", "LoadBalancing"),

    // Empty until the module's trait is switched on.
    "InterceptorKitAsyncHTTPClient": engineTests + asyncHTTPClient
        + behind("AsyncHTTPClient", ["swift-distributed-tracing": ["InMemoryTracing"]]),
    "InterceptorKitHTTPTypes": httpTypes,
    "InterceptorKitHummingbird": ["TestRun"] + kit("Concurrency", "Curl", "Signing") + hummingbird
        + behind(
            "Hummingbird",
            [
                "hummingbird": ["HummingbirdCore", "HummingbirdHTTP2", "HummingbirdTesting"],
                "swift-nio": ["NIOPosix"],
                "swift-nio-ssl": ["NIOSSL"],
            ]
        ),
    "InterceptorKitRedis": fleetTests + ["FleetWorker", "TestSupport"] + redis,
    "InterceptorKitJWT": ["BoundedWaits", "ConformanceVectors", "TestRun", "TestSupport"]
        + kit("Authentication", "Concurrency", "Curl", "SharedState", "Signing") + jwt
        + behind("JWT", ["swift-crypto": ["Crypto", "CryptoExtras"]]),
    "InterceptorKitTelemetry": ["Scenarios", "TestRun"] + telemetry
        + behind("Logging", ["swift-log": ["InMemoryLogging"]])
        + behind("Metrics", ["swift-metrics": ["MetricsTestKit"]]),
    "InterceptorKitConfiguration": ["BoundedWaits", "TestRun", "TestSupport"]
        + kit("Concurrency", "Curl") + configuration,
    "InterceptorKitServiceLifecycle": ["BoundedWaits", "TestRun", "TestSupport"]
        + kit("Concurrency", "Curl", "LoadBalancing") + lifecycle
        + behind(
            "ServiceLifecycle",
            [
                "swift-log": ["Logging"],
                "swift-service-lifecycle": ["ServiceLifecycleTestKit", "UnixSignals"],
            ]
        ),

    "InterceptorKitTestingTraits": kit("Concurrency"),
    "InterceptorKitConformance": ["ConformanceReference", "EngineScenarios", "TestRun"]
        + kit("Concurrency", "SharedState", "Signing", "Streaming", "Transfers"),
    "Resilience": ["ConformanceVectors", "TestRun", "TestSupport"],
]

let supporting: [Target.Dependency] = [
    "BoundedWaits", "ConformanceVectors", "TestRun", "TestSupport",
]

/// The same, beside what supports these.
let supportedTests: Targets = [
    "InterceptorKitSigning": kit("AWS"),
    "InterceptorKitAuthentication": [],
    "InterceptorKitAWS": kit("Concurrency", "Curl", "Signing"),
    "InterceptorKitCaching": ["CacheFiller"],
    "InterceptorKitLoadBalancing": [],
    "InterceptorKitForms": [],
    "InterceptorKitTransfers": [],
    "InterceptorKitStreaming": [],
    "InterceptorKitOperations": [],
    "InterceptorKitSharedState": kit("Concurrency", "Conformance", "Signing"),
    "InterceptorKitFaults": [],
    "InterceptorKitInspection": [],
]

/// Tests that use no test kit, or are named otherwise: what they depend on beside InterceptorKit.
let otherTests: Targets = [
    "InterceptorKitCryptoTests": ["BoundedWaits", "ConformanceVectors", "Expectations", "TestRun"]
        + kit("Authentication", "AWS", "Crypto", "Curl", "Signing") + crypto,
    "InterceptorKitTestingTests": [
        "ConformanceReference", "Expectations", "TestRun", "TestSupport",
    ]
        + kit("Concurrency", "Conformance", "Inspection", "Loopback", "Testing"),
    "SharedCredentialTests": ["CredentialFleet", "CredentialWorker", "TestRun"]
        + kit("Authentication"),
    "QuickstartTests": ["Expectations", "Quickstart", "TestRun"] + kit("Inspection"),
]

/// What tests of several modules share, each in its folder of Tests and on InterceptorKit.
let testSupport: Targets = [
    // Services, streams and recorders.
    "TestSupport": ["Expectations", "TestRun"] + kit("Concurrency", "Testing"),
    // The published vectors.
    "ConformanceVectors": kit("Caching", "Concurrency", "Conformance", "Testing"),
    // The events that tests wait for, and the only place where they let time pass.
    "BoundedWaits": kit("Concurrency"),
    // Storms of calls and planted secrets, for the properties of several modules.
    "Scenarios": kit("Testing"),
    // What the engines have in common beside conformance; each says what is under way in it.
    "EngineScenarios": ["Expectations", "TestRun"]
        + kit("Authentication", "AWS", "Caching", "Concurrency", "Conformance", "Signing")
        + kit("Streaming", "Testing"),
    // A transport that conforms, and breaks as told for the conformance suites to find out.
    "ConformanceReference": kit("Concurrency"),
    // Processes that share a credential, and what they call.
    "CredentialFleet": ["BoundedWaits", "Expectations"]
        + kit("Authentication", "Concurrency", "Testing"),
    // Replicas that share idempotency records, and what they change.
    "IdempotencyFleet": ["BoundedWaits"] + kit("Concurrency", "Testing"),
]

/// Programs that tests start, likewise.
let testPrograms: Targets = [
    // Fills a store until it is killed.
    "CacheFiller": kit("Caching"),
    // Can be given another libcurl.
    "CurlProbe": kit("Curl"),
    // Share a limit; one is killed while it holds a key.
    "FleetWorker": kit("Redis", "SharedState", "Signing"),
    "CredentialWorker": kit("Authentication", "Concurrency", "Curl", "Etcd", "Redis"),
    "IdempotencyWorker": kit("Concurrency", "Curl", "Etcd", "Redis", "SharedState"),
]

/// Programs of Examples that have tests, likewise.
let examples: Targets = [
    "Quickstart": kit("Curl", "Inspection", "Loopback", "Transport") + [
        .target(
            name: "InterceptorKitAsyncHTTPClient",
            condition: .when(traits: ["AsyncHTTPClient"])
        )
    ],
    "Resilience": kit("LoadBalancing", "Testing"),
]

func library(
    _ name: String,
    _ dependencies: [Target.Dependency],
    _ resources: [Resource] = []
) -> Target {
    .target(name: name, dependencies: dependencies, resources: resources, swiftSettings: settings)
}

func program(
    _ name: String,
    _ dependencies: [Target.Dependency],
    in folder: String,
    _ settings: [SwiftSetting]
) -> Target {
    .executableTarget(
        name: name,
        dependencies: ["InterceptorKit"] + dependencies,
        path: "\(folder)/\(name)",
        swiftSettings: settings
    )
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, swiftSettings: testSettings)
}

func tests(of module: String, _ dependencies: [Target.Dependency]) -> Target {
    tests("\(module)Tests", ["Expectations"] + kit("", "Testing") + dependencies)
}

/// The tests of a module in parts, which are compiled side by side. Each part has some of the folders.
func parts(
    of module: String,
    with modules: [Target.Dependency],
    _ parts: KeyValuePairs<String, [String]>
) -> [Target] {
    let folders = parts.flatMap { $0.value }.sorted()
    return parts.map { name, own in
        .testTarget(
            name: name,
            dependencies: [
                "ConformanceVectors", "Expectations", "InterceptorKit", "Scenarios", "TestRun",
                "TestSupport",
            ] + kit("Concurrency", "Core", "Inspection", "Signing", "Testing", "Transfers")
                + modules,
            path: "Tests/\(module)Tests",
            exclude: folders.filter { !own.contains($0) },
            swiftSettings: testSettings
        )
    }
}

/// With its default traits, unless others are named.
func repository(
    _ name: String,
    from version: Version,
    traits: Set<Package.Dependency.Trait> = [.defaults]
) -> Package.Dependency {
    .package(url: "https://github.com/\(name).git", from: version, traits: traits)
}

func trait(_ name: String, _ description: String, with others: Set<String> = []) -> Trait {
    .trait(name: name, description: description, enabledTraits: others)
}

let package = Package(
    name: "InterceptorKit",
    // Mutex, task executors and typed throws need these; Linux has no lower bound.
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        "InterceptorKit", "InterceptorKitCore", "InterceptorKitSigning",
        "InterceptorKitAuthentication", "InterceptorKitAWS", "InterceptorKitCaching",
        "InterceptorKitLoadBalancing", "InterceptorKitForms", "InterceptorKitTransfers",
        "InterceptorKitStreaming",
        "InterceptorKitOperations", "InterceptorKitSharedState", "InterceptorKitFaults",
        "InterceptorKitInspection", "InterceptorKitTransport", "InterceptorKitRouting",
        "InterceptorKitCurl", "InterceptorKitLoopback", "InterceptorKitTesting",
        "InterceptorKitConformance", "InterceptorKitTestingTraits", "InterceptorKitEtcd",
        "InterceptorKitAsyncHTTPClient", "InterceptorKitHTTPTypes", "InterceptorKitHummingbird",
        "InterceptorKitRedis", "InterceptorKitCrypto", "InterceptorKitJWT",
        "InterceptorKitTelemetry", "InterceptorKitConfiguration", "InterceptorKitServiceLifecycle",
    ].map { .library(name: $0, targets: [$0]) },
    // None is on by default, so that whoever depends on this package resolves no other one.
    traits: [
        trait("AsyncHTTPClient", "AsyncHTTPClientTransport, on swift-server/async-http-client."),
        trait("HTTPTypes", "Conversions from and to the types of apple/swift-http-types."),
        trait(
            "Hummingbird",
            "Chains on the serving side, in hummingbird-project/hummingbird.",
            with: ["HTTPTypes"]
        ),
        trait("Redis", "Stores of a fleet in Redis or Valkey, on apple/swift-nio."),
        trait("RedisTLS", "Redis or Valkey over TLS, with apple/swift-nio-ssl.", with: ["Redis"]),
        trait("Crypto", "Signatures by private keys, with apple/swift-crypto."),
        trait("JWT", "Bearer tokens verified on the serving side, with vapor/jwt-kit."),
        trait("Logging", "Log lines of calls, with apple/swift-log."),
        trait("Metrics", "Metrics of sends and decisions, with apple/swift-metrics."),
        trait("Tracing", "Spans of calls and attempts, with apple/swift-distributed-tracing."),
        trait(
            "Configuration",
            "A client's settings from apple/swift-configuration, replaced while it is used."
        ),
        trait(
            "ServiceLifecycle",
            "Graceful shutdown of clients, in swift-server/swift-service-lifecycle."
        ),
    ],
    dependencies: [
        repository("swift-server/async-http-client", from: "1.37.0"),
        repository("apple/swift-nio", from: "2.101.0"),
        repository("apple/swift-nio-http2", from: "1.46.0"),
        repository("apple/swift-nio-ssl", from: "2.37.0"),
        repository("apple/swift-http-types", from: "1.8.0"),
        repository("hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        repository("apple/swift-crypto", from: "4.5.2"),
        repository("vapor/jwt-kit", from: "5.7.1"),
        repository("apple/swift-log", from: "1.16.2"),
        repository("apple/swift-metrics", from: "2.13.0"),
        repository("apple/swift-distributed-tracing", from: "1.7.3"),
        // Without its own traits, which are the dependant's to choose.
        repository("apple/swift-configuration", from: "1.4.0", traits: []),
        repository("swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: base
        + modules.map { library($0, ["InterceptorKit"] + $1) }
        + concurrentModules.map { library($0, kit("", "Concurrency") + $1) }
        + [
            // The page of a timeline is bytes in the program, so that there is no bundle to be found.
            library(
                "InterceptorKitInspection",
                kit("", "Concurrency"),
                [.embedInCode("Timeline/Page")]
            ),
            // Apart from InterceptorKitTesting, so that programs which use that do not link Swift Testing.
            library("InterceptorKitTestingTraits", ["InterceptorKitTesting"]),
        ]
        + examples.map { program($0, $1, in: "Examples", settings) }
        + [
            // What tests expect, as functions.
            .target(name: "Expectations", path: "Tests/Expectations", swiftSettings: testSettings),
            // How tests share the machine: their tags, turns and threads.
            .target(name: "TestRun", path: "Tests/TestRun", swiftSettings: testSettings),
        ]
        + testSupport.map {
            .target(
                name: $0,
                dependencies: ["InterceptorKit"] + $1,
                path: "Tests/\($0)",
                swiftSettings: testSettings
            )
        }
        + testPrograms.map { program($0, $1, in: "Tests", testSettings) }
        + parts(
            of: "InterceptorKit",
            with: ["CacheFiller"] + kit("Authentication", "AWS", "Caching"),
            [
                "InterceptorKitTests": ["Client", "Observation", "Standard"],
                "InterceptorKitMessageTests": ["Digests", "Guides", "HTTP"],
                "InterceptorKitInterceptorTests": ["Failures", "Interceptors"],
            ]
        )
        + parts(
            of: "InterceptorKitCore",
            with: ["BoundedWaits"],
            [
                "InterceptorKitCoreTests": ["Chain", "Redaction", "Standard", "Support"],
                "InterceptorKitResilienceTests": ["Resilience"],
                "InterceptorKitRetryTests": ["Retry"],
            ]
        )
        + moduleTests.map { tests(of: $0, [.byName(name: $0)] + $1) }
        + supportedTests.map { tests(of: $0, supporting + [.target(name: $0)] + $1) }
        + otherTests.map { tests($0, ["InterceptorKit"] + $1) }
        + [
            tests(
                "InterceptorKitConcurrencyTests",
                ["Expectations", "InterceptorKit", "TestRun", "TestSupport"]
                    + kit("Concurrency", "Testing")
            ),
            // A module whose types belong to the main actor, as those of a new app target do.
            .testTarget(
                name: "MainActorTests",
                dependencies: ["InterceptorKit", "InterceptorKitTesting"],
                swiftSettings: testSettings + [.defaultIsolation(MainActor.self)]
            ),
        ],
    swiftLanguageModes: [.v6]
)
