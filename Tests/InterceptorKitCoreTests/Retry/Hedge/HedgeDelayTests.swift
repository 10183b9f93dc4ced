import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("HedgeDelay")
struct HedgeDelayTests {
    /// Sends calls that take as long as told, then one that takes forever, and says when it was hedged.
    private func hedgedAfter(
        _ latencies: [Duration],
        _ delay: HedgeDelay,
        failing: Bool = false
    ) throws -> Duration? {
        try Simulation.run { simulation in
            let transport = ScriptedTransport<HTTP.Request> { request, call in
                if let index = request.url.query.flatMap({ Int($0) }) {
                    try await call.runtime.sleep(for: latencies[index])
                    if failing { return HTTP.Response(503) }
                } else {
                    try await call.runtime.sleep(for: .seconds(60))
                }
                return HTTP.Response(200)
            }
            var policy = HedgePolicy<HTTP.Request>.prompt
            policy.delay = delay
            let client = try simulation.client(transport) { [policy] in
                HedgeInterceptor(policy: policy)
            }
            for index in latencies.indices {
                _ = try await client.send(.get("https://api.example.com/?\(index)"))
            }
            try await simulation.runtime.sleep(for: .seconds(4))
            let before = transport.sent.count
            _ = try await client.send(.get("https://api.example.com/"))
            let sends = transport.sent.dropFirst(before).map(\.instant)
            return sends.count > 1 ? sends[0].duration(to: sends[1]) : nil
        }
    }

    @Test("is the fallback, or none, while there are too few samples")
    func warmUp() throws {
        let latencies = Array(repeating: Duration.milliseconds(10), count: 99)

        try expectEqual(hedgedAfter(latencies, .percentile()), .seconds(2))
        try expectEqual(hedgedAfter(latencies, .percentile(fallback: nil)), nil)
    }

    @Test("is the 95th percentile of attempts, to within a sixteenth")
    func percentile() throws {
        let latencies = (1...200).map { Duration.milliseconds($0) }

        let delay = try unwrap(hedgedAfter(latencies, .percentile(fallback: nil)))

        expectTrue(delay >= .milliseconds(190))
        expectTrue(delay <= .milliseconds(190) * 17 / 16)
    }

    @Test("is no shorter than its floor")
    func floor() throws {
        let latencies = Array(repeating: Duration.microseconds(10), count: 100)

        try expectEqual(hedgedAfter(latencies, .percentile()), .milliseconds(1))
        try expectEqual(
            hedgedAfter(latencies, .percentile(floor: .milliseconds(20))),
            .milliseconds(20)
        )
    }

    @Test("doesn't learn from failures that come faster than a response would")
    func fastFailures() throws {
        let latencies = Array(repeating: Duration.milliseconds(1), count: 200)

        let delay = try hedgedAfter(latencies, .percentile(), failing: true)

        expectEqual(delay, .seconds(2))
    }

    @Test("learns response times from superseded attempts too")
    func superseded() throws {
        let delays = try Simulation.run { simulation in
            let transport = ScriptedTransport<HTTP.Request> { _, call in
                let isSlow = call.attempt == 1
                try await call.runtime.sleep(for: isSlow ? .seconds(60) : .milliseconds(200))
                return HTTP.Response(200)
            }
            var policy = HedgePolicy<HTTP.Request>.prompt
            policy.delay = .percentile(minimumSamples: 10, fallback: .milliseconds(100))
            let client = try simulation.client(transport) { [policy] in
                HedgeInterceptor(policy: policy)
            }
            for _ in 0..<12 { _ = try await client.send(.get(orders)) }
            let last = transport.sent.suffix(2).map(\.instant)
            return last[0].duration(to: last[1])
        }

        expectTrue(delays > .milliseconds(200))
    }

    @Test("is learned for each authority")
    func authorities() throws {
        let sends = try Simulation.run { simulation in
            let transport = ScriptedTransport<HTTP.Request> { request, call in
                let isSlow = request.url.host == "slow.example"
                try await call.runtime.sleep(for: .milliseconds(isSlow ? 500 : 10))
                return HTTP.Response(200)
            }
            var policy = HedgePolicy<HTTP.Request>.prompt
            policy.delay = .percentile(minimumSamples: 10, fallback: nil)
            let client = try simulation.client(transport) { [policy] in
                HedgeInterceptor(policy: policy)
            }
            for _ in 0..<20 {
                _ = try await client.send(.get("https://slow.example/"))
                _ = try await client.send(.get("https://fast.example/"))
            }
            return transport.sent.count
        }

        expectEqual(sends, 40)
    }
}
