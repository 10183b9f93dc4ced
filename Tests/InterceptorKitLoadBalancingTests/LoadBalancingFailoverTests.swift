import Expectations
import Foundation
import InterceptorKit
import InterceptorKitLoadBalancing
import InterceptorKitTesting
import Testing

@Suite("LoadBalancingInterceptor and the next endpoint")
struct LoadBalancingFailoverTests {
    @Test("sends each attempt of a call to another endpoint", arguments: 0..<20)
    func retry(seed: UInt64) throws {
        let hosts = try Simulation.run(seed: seed) { simulation in
            let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(503) }
            let endpoints: [ServiceEndpoint] = [
                "https://a.example", "https://b.example", "https://c.example",
            ]
            let pipeline = try Pipeline<HTTP.Request>(
                transport: transport,
                runtime: simulation.runtime
            ) {
                RetryInterceptor(maxAttempts: 3)
                LoadBalancingInterceptor(endpoints)
            }
            _ = try await pipeline.run(.get("/x"))
            return transport.sent.map(\.input.url.host)
        }

        expectEqual(Set(hosts).count, 3)
    }

    @Test("sends a hedge to another endpoint than the slow one", arguments: 0..<20)
    func hedge(seed: UInt64) throws {
        let (first, answered) = try Simulation.run(seed: seed) { simulation in
            let log = LoadLog()
            let servers = SimulatedServers(["https://a.example", "https://b.example"])
                .changing("https://a.example", to: .neverAnswers)
                .changing("https://b.example", to: .neverAnswers)
            let transport = NotingTransport(base: servers, log: log)
            var hedge = HedgePolicy<HTTP.Request>.standard
            hedge.delay = .fixed(.milliseconds(100))
            let pipeline = try Pipeline<HTTP.Request>(
                transport: transport,
                runtime: simulation.runtime
            ) {
                HedgeInterceptor(policy: hedge)
                LoadBalancingInterceptor(["https://a.example", "https://b.example"])
            }
            let call = pipeline.makeCall().withDeadline(within: .seconds(1))
            _ = try? await pipeline.run(.get("/x"), call: call)
            let hosts = log.result.sends.map(\.host)
            return (hosts.first, hosts.dropFirst().first)
        }

        expectTrue(first != nil && answered != nil && first != answered)
    }

    @Test("goes to another endpoint at once when one refuses the connection", arguments: 0..<10)
    func refusedConnection(seed: UInt64) throws {
        let (status, time) = try Simulation.run(seed: seed) { simulation in
            let servers = SimulatedServers(["https://a.example", "https://b.example"])
                .changing("https://a.example", to: .refuses)
            let pipeline = try Pipeline<HTTP.Request>(
                transport: servers,
                runtime: simulation.runtime
            ) { LoadBalancingInterceptor(["https://a.example", "https://b.example"]) }
            let status = try await pipeline.run(.post("/orders", body: .text("x"))).status
            return (status, simulation.runtime.now.offset)
        }

        expectEqual(status, 200)
        expectEqual(time, .milliseconds(10))
    }

    @Test("sends a body that can be read once to one endpoint alone", arguments: 0..<10)
    func oneShotBody(seed: UInt64) throws {
        let hosts = try Simulation.run(seed: seed) { simulation in
            let log = LoadLog()
            let servers = SimulatedServers(["https://a.example", "https://b.example"], .refuses)
            let pipeline = try Pipeline<HTTP.Request>(
                transport: NotingTransport(base: servers, log: log),
                runtime: simulation.runtime
            ) { LoadBalancingInterceptor(["https://a.example", "https://b.example"]) }
            let (chunks, source) = AsyncStream.makeStream(of: Data.self)
            source.finish()
            _ = try? await pipeline.run(.post("/orders", body: .oneShot(chunks)))
            return log.result.sends.map(\.host)
        }

        expectEqual(hosts.count, 1)
    }

    @Test("goes to another endpoint when the breaker of one refuses the attempt")
    func refusedLocally() throws {
        let (statuses, sends) = try Simulation.run { simulation in
            let log = LoadLog()
            let breaker = CircuitBreaker()
            try breaker.isolate("https://b.example")
            let servers = SimulatedServers(["https://a.example", "https://b.example"])
            let pipeline = try Pipeline<HTTP.Request>(
                transport: NotingTransport(base: servers, log: log),
                runtime: simulation.runtime
            ) {
                LoadBalancingInterceptor(
                    LoadBalancer(
                        ["https://a.example", "https://b.example"],
                        policy: RoundRobinPolicy()
                    )
                )
                CircuitBreakerInterceptor(breaker)
            }
            var statuses: [HTTP.Status] = []
            for _ in 0..<6 { statuses.append(try await pipeline.run(.get("/x")).status) }
            return (statuses, log.result.sends.map(\.host))
        }

        expectEqual(statuses, Array(repeating: 200, count: 6))
        expectEqual(sends, Array(repeating: "a.example", count: 6))
    }
}
