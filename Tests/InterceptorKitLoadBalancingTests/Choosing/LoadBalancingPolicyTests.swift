import Expectations
import InterceptorKit
import InterceptorKitLoadBalancing
import InterceptorKitTesting
import Testing

@Suite("LoadBalancingPolicy")
struct LoadBalancingPolicyTests {
    private static let endpoints: [ServiceEndpoint] = [
        "https://a.example", "https://b.example", "https://c.example",
    ]

    private static func hosts(
        _ endpoints: [ServiceEndpoint],
        _ policy: some LoadBalancingPolicy,
        calls: Int,
        path: @escaping @Sendable (Int) -> String = { _ in "/" }
    ) throws -> [String] {
        try Simulation.run(seed: 7) { simulation in
            let servers = SimulatedServers(endpoints.compactMap(\.url.origin))
            let log = LoadLog()
            let pipeline = try Pipeline<HTTP.Request>(
                transport: NotingTransport(base: servers, log: log),
                runtime: simulation.runtime
            ) { LoadBalancingInterceptor(LoadBalancer(endpoints, policy: policy)) }
            for index in 0..<calls {
                _ = try await pipeline.run(.get(HTTP.URL(unvalidated: path(index))))
            }
            return log.result.sends.map(\.host)
        }
    }

    @Test("round robin takes one after the other")
    func roundRobin() throws {
        let hosts = try Self.hosts(Self.endpoints, RoundRobinPolicy(), calls: 6)

        expectEqual(hosts.prefix(3), hosts.suffix(3))
        expectEqual(Set(hosts.prefix(3)).count, 3)
    }

    @Test("weighted random gives shares by weight")
    func weighted() throws {
        var endpoints = Self.endpoints
        endpoints[0].weight = 2

        let hosts = try Self.hosts(endpoints, WeightedRandomPolicy(), calls: 4_000)

        let share = Double(hosts.count { $0 == "a.example" }) / 4_000
        expectTrue(abs(share - 0.5) < 0.03)
    }

    @Test("least requests and least latency respect weights")
    func weights() throws {
        var endpoints = Self.endpoints
        endpoints[0].weight = 10
        for policy in [LeastRequestsPolicy() as any LoadBalancingPolicy, LeastLatencyPolicy()] {
            let hosts = try Self.hosts(endpoints, policy, calls: 1_000)

            expectTrue(hosts.count { $0 == "a.example" } > 500)
        }
    }

    @Test("rendezvous moves only the keys of an endpoint that leaves")
    func rendezvous() throws {
        let policy = RendezvousPolicy { request, _ in request.url.path }
        let path = { @Sendable (index: Int) in "/\(index % 300)" }

        let all = try Self.hosts(Self.endpoints, policy, calls: 600, path: path)
        let fewer = try Self.hosts(Array(Self.endpoints.dropLast()), policy, calls: 300, path: path)

        expectEqual(all.prefix(300), all.suffix(300))
        let moved = zip(all, fewer).filter { $0 != $1 }
        expectTrue(moved.allSatisfy { $0.0 == "c.example" })
        expectTrue(moved.count > 60 && moved.count < 140)
    }

    @Test("rendezvous is the same in every process")
    func stable() throws {
        let policy = RendezvousPolicy { request, _ in request.url.path }

        let hosts = try Self.hosts(Self.endpoints, policy, calls: 6) { "/\($0)" }

        expectEqual(hosts.map { $0.prefix(1) }.joined(), "baabbb")
    }

    @Test("a position outside of the candidates counts as the first")
    func outside() throws {
        struct Wild: LoadBalancingPolicy {
            func choose(
                from candidates: EndpointCandidates,
                for request: HTTP.Request,
                call: Call,
                random: UInt64
            ) -> Int { .max }
        }

        try expectEqual(Self.hosts(Self.endpoints, Wild(), calls: 1).count, 1)
    }
}
