// What the module's articles show.
#if ServiceLifecycle
import Expectations
import BoundedWaits
import InterceptorKit
import InterceptorKitLoadBalancing
import InterceptorKitServiceLifecycle
import InterceptorKitTesting
import Logging
import ServiceLifecycle
import Testing
import UnixSignals

@Suite("The guide")
struct ServiceLifecycleGuideTests {
    @Test("shuts a client down in a group")
    func client() async throws {
        let transport = ClosableTransport()
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        var settings = HTTP.Client.Settings(baseURL: "https://api.example.com")
        // Ends at once, and with it the group.
        let server = ClosureService {}

        let retries = RetrySwitch()
        settings.strategies.stopRetries(with: retries)
        settings.interceptors.append(RetrySwitchInterceptor(retries))
        let api = try HTTP.Client(settings, transport: transport)

        try await within { [api] in
            let client = ClientService(api, retries: retries) { transport.close() }
            let group = ServiceGroup(
                configuration: ServiceGroupConfiguration(
                    services: [
                        ServiceGroupConfiguration.ServiceConfiguration(service: client),
                        ServiceGroupConfiguration.ServiceConfiguration(
                            service: server,
                            successTerminationBehavior: .gracefullyShutdownGroup
                        ),
                    ],
                    logger: logger
                )
            )
            try await group.run()
        }

        expectTrue(!retries.isOn)
        expectTrue(transport.isClosed.value)
    }

    @Test("runs loops in a group")
    func loops() async throws {
        let transport = ClosableTransport()
        let balancer = LoadBalancer([], origins: ["https://a.example"])
        let sets = AsyncStream<[ServiceEndpoint]> { $0.yield(["https://a.example"]) }
        let check = HealthCheck("/health")

        let watch = BackgroundService("endpoints of orders") {
            try await balancer.follow(sets)
        }
        let checks = BackgroundService("health of orders") {
            try await balancer.checkHealth(by: check, over: transport)
        }

        let hasEndpoint = try await running(watch) { shutDown in
            defer { shutDown() }
            return await eventually { balancer.endpoints.count == 1 }
        }
        try await running(checks) { $0() }
        expectTrue(hasEndpoint)
        expectEqual("\(watch)", "BackgroundService(endpoints of orders)")
    }

    /// As in the article, with a signal that no test sends.
    func group(
        _ given: HTTP.Client.Settings,
        _ transport: ClosableTransport,
        _ server: ClosureService,
        _ logger: Logger
    ) async throws {
        var settings = given

        let retries = RetrySwitch()
        settings.strategies.stopRetries(with: retries)
        settings.interceptors.append(RetrySwitchInterceptor(retries))
        let api = try HTTP.Client(settings, transport: transport)

        let client = ClientService(api, retries: retries) { transport.close() }
        let group = ServiceGroup(
            services: [client, server],
            gracefulShutdownSignals: [.sigterm],
            logger: logger
        )
        try await group.run()
    }
}

struct ClosableTransport: Transport {
    let isClosed = Box(false)

    func send(_ request: HTTP.Request, call: Call) async throws -> HTTP.Response {
        HTTP.Response(200)
    }

    func close() { isClosed.value = true }
}
#endif
