import Expectations
import InterceptorKit
import InterceptorKitLoadBalancing
import InterceptorKitTesting
import TestRun
import Testing

@Suite("A balanced standard client and one of four endpoints that")
struct OneOfFourTests {
    private static let endpoints: [ServiceEndpoint] = [
        "https://a.example", "https://b.example", "https://c.example", "https://d.example",
    ]
    private static let servers = SimulatedServers(endpoints.compactMap(\.url.origin))

    /// The load of twenty seconds, one call every 5 ms.
    private func load(_ servers: SimulatedServers, seed: UInt64) throws -> LoadResult {
        try Simulation.run(seed: seed) { simulation in
            let runtime = simulation.runtime
            let log = LoadLog()
            let client = try HTTP.Client.standard(
                endpoints: Self.endpoints,
                transport: NotingTransport(base: servers, log: log),
                runtime: runtime
            )
            try await log.load(runtime, every: .milliseconds(5), until: .seconds(20)) {
                try await client.send($0)
            }
            return log.result
        }
    }

    @Test("dies costs no caller anything", arguments: 0..<cases(1, of: 3))
    func dies(seed: UInt64) throws {
        let result = try load(
            Self.servers.changing("https://b.example", to: .refuses, at: .seconds(3)),
            seed: seed
        )

        expectEqual(result.failures, [])
        expectTrue(Double(result.sends.count) <= 1.03 * Double(result.latencies.count))
        expectTrue(result.percentile(0.99) < .milliseconds(100))
    }

    @Test("answers 503 in 1 ms gets next to nothing", arguments: 0..<cases(1, of: 3))
    func failsFast(seed: UInt64) throws {
        let result = try load(
            Self.servers.changing("https://b.example", to: .answers(503, after: .milliseconds(1))),
            seed: seed
        )

        expectEqual(result.failures, [])
        expectTrue(result.share(of: "b.example", from: .seconds(1)) <= 0.01)
        expectTrue(Double(result.sends.count) <= 1.03 * Double(result.latencies.count))
    }

    @Test(
        "accepts and never answers holds up only the calls that it has",
        arguments: 0..<cases(1, of: 3)
    )
    func neverAnswers(seed: UInt64) throws {
        let result = try load(
            Self.servers.changing("https://b.example", to: .neverAnswers, at: .seconds(3)),
            seed: seed
        )

        expectEqual(result.failures, [])
        expectTrue(Double(result.sends.count) <= 1.03 * Double(result.latencies.count))
        expectTrue(result.percentile(0.99) < .milliseconds(100))
    }

    @Test("is ten times slower gets a small share", arguments: 0..<cases(1, of: 3))
    func slow(seed: UInt64) throws {
        let result = try load(
            Self.servers.changing("https://b.example", to: .answers(after: .milliseconds(100))),
            seed: seed
        )

        expectEqual(result.failures, [])
        expectTrue(result.share(of: "b.example", from: .seconds(1)) < 0.1)
    }

    @Test("comes back gets its share again", arguments: 0..<cases(1, of: 3))
    func comesBack(seed: UInt64) throws {
        let result = try load(
            Self.servers.changing("https://b.example", to: .refuses, at: .seconds(1))
                .changing(
                    "https://b.example",
                    to: .answers(after: .milliseconds(10)),
                    at: .seconds(3)
                ),
            seed: seed
        )

        expectEqual(result.failures, [])
        expectTrue(result.share(of: "b.example", from: .seconds(17)) > 0.15)
    }

    @Test("restarts, one after the other, costs no caller anything", arguments: 0..<cases(1, of: 3))
    func rollingRestart(seed: UInt64) throws {
        var servers = Self.servers
        for (index, endpoint) in Self.endpoints.enumerated() {
            guard let origin = endpoint.url.origin else { continue }
            let start = Duration.seconds(2 + 4 * index)
            servers = servers.changing(origin, to: .refuses, at: start)
                .changing(origin, to: .answers(after: .milliseconds(10)), at: start + .seconds(2))
        }

        let result = try load(servers, seed: seed)

        expectEqual(result.failures, [])
        expectTrue(Double(result.sends.count) <= 1.03 * Double(result.latencies.count))
    }
}
