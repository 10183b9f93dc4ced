#if ServiceLifecycle
import Expectations
import InterceptorKit
import InterceptorKitLoadBalancing
import InterceptorKitServiceLifecycle
import InterceptorKitTesting
import ServiceLifecycle
import ServiceLifecycleTestKit
import Testing
import TestSupport

@Suite("BackgroundService")
struct BackgroundServiceTests {
    @Test("ends its loop on graceful shutdown, without an error")
    func shutdown() async throws {
        let (rounds, end) = try await onEverySeed { simulation in
            let rounds = Box(0)
            let service = BackgroundService("loop") {
                while true {
                    try await simulation.runtime.sleep(for: .seconds(2))
                    rounds.value += 1
                }
            }

            try await run(service, for: .seconds(5), in: simulation)

            return (rounds.value, simulation.now.offset)
        }

        expectEqual(rounds, 2)
        expectEqual(end, .seconds(5))
    }

    @Test("stays until the shutdown if its source has ended")
    func ended() async throws {
        let (endpoints, end) = try await onEverySeed { simulation in
            let balancer = LoadBalancer([], origins: ["https://a.example"])
            let sets = AsyncStream<[ServiceEndpoint]> { continuation in
                continuation.yield(["https://a.example"])
                continuation.finish()
            }
            let service = BackgroundService("endpoints") {
                try await balancer.follow(sets, runtime: simulation.runtime)
            }

            try await run(service, for: .seconds(5), in: simulation)

            return (balancer.endpoints.count, simulation.now.offset)
        }

        expectEqual(endpoints, 1)
        expectEqual(end, .seconds(5))
    }

    @Test("throws what its work throws before the shutdown")
    func failed() async throws {
        let service = BackgroundService("loop") { throw ShutdownTestError() }

        await #expect(throws: ShutdownTestError.self) {
            try await testGracefulShutdown { _ in try await service.run() }
        }
    }

    @Test("checks the health of endpoints until the shutdown")
    func health() async throws {
        let (checks, end) = try await onEverySeed { simulation in
            let checks = Box(0)
            let balancer = LoadBalancer(["https://a.example"])
            var check = HealthCheck("/health")
            check.interval = .seconds(2)
            check.timeout = .seconds(1)
            let service = BackgroundService("health") { [check] in
                try await balancer.checkHealth(
                    by: check,
                    over: Server { _, _ in
                        checks.value += 1
                        return HTTP.Response(200)
                    },
                    runtime: simulation.runtime
                )
            }

            try await run(service, for: .seconds(5), in: simulation)

            return (checks.value, simulation.now.offset)
        }

        expectEqual(checks, 3)
        expectEqual(end, .seconds(5))
    }

    private func run(
        _ service: BackgroundService,
        for time: Duration,
        in simulation: Simulation
    ) async throws {
        try await running(service) { shutDown in
            try await simulation.runtime.sleep(for: time)
            shutDown()
        }
    }
}

private struct ShutdownTestError: Error {}
#endif
