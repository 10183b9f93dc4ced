import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("RetryDecision")
struct RetryDecisionTests {
    @Test("waits by the previous wait with decorrelated jitter")
    func decorrelated() throws {
        var policy = RetryPolicy<HTTP.Request>.steady
        policy.maxAttempts = 5
        policy.backoff = Backoff(base: .seconds(1), cap: .seconds(100), jitter: .decorrelated)
        let steps = Array(repeating: ScriptStep<HTTP.Request>.status(503), count: 5)

        let runs = try (UInt64(0)..<50).map { seed in
            let times = try RetryRun.once(steps, .get(orders), policy, seed: seed).times
            return zip(times.dropFirst(), times).map { $0 - $1 }
        }

        for waits in runs {
            let reach = [.seconds(1)] + waits.map { $0 * 3 + .microseconds(1) }
            expectTrue(zip(waits, reach).dropFirst().allSatisfy { $0 >= .seconds(1) && $0 <= $1 })
        }
        expectTrue(runs.joined().contains { $0 > .seconds(3) })
    }

    @Test(
        "retries idempotent methods only",
        arguments: [
            ("GET", 3), ("HEAD", 3), ("OPTIONS", 3), ("TRACE", 3), ("PUT", 3), ("DELETE", 3),
            ("QUERY", 3),
            ("POST", 1), ("PATCH", 1), ("LINK", 1),
        ]
    )
    func methods(method: String, sends: Int) async throws {
        let request = HTTP.Request(HTTP.Method(rawValue: method), orders)

        let run = try await RetryRun.of(Array(repeating: .status(503), count: 3), for: request)

        expectEqual(run.sent.count, sends)
    }

    @Test("sends a POST once if no response arrived")
    func postTimedOut() async throws {
        let run = try await RetryRun.of(
            [.fail(TransportError(.timedOut, "Too late."))],
            for: .post(orders, body: "x")
        )

        #expect(throws: TransportError.self) { try run.result.get() }
        expectEqual(run.sent.count, 1)
    }

    @Test("sends a one-shot body once and returns the original response")
    func oneShot() async throws {
        let body = HTTP.Body.oneShot(AsyncStream { $0.finish() })
        let request = HTTP.Request(.put, orders, body: body)

        let run = try await RetryRun.of([.status(503, body: "busy")], for: request)

        try expectEqual(run.result.get().status, 503)
        expectEqual(run.sent.count, 1)
    }

    @Test("doesn't retry a permanent failure")
    func permanentErrors() async throws {
        for error in [
            TransportError(.tls, "Untrusted certificate.") as any Error,
            TransportError(.closed, "Closed."),
            HTTP.RequestError(.invalidURL, "No URL."),
            Problem(),
        ] {
            let run = try await RetryRun.of([.fail(error), .status(200)])

            #expect(throws: (any Error).self) { try run.result.get() }
            expectEqual(run.sent.count, 1, "\(error)")
        }
    }

    @Test("draws waits from the seed, reproducibly and within their bounds")
    func seededJitter() throws {
        @Sendable func times(seed: UInt64) throws -> [Duration] {
            try Simulation.run(seed: seed) { simulation in
                let transport = ScriptedTransport<HTTP.Request>(
                    replies: Array(repeating: .status(503), count: 4)
                )
                let client = try simulation.client(transport) {
                    RetryInterceptor(policy: .standard)
                }
                _ = try await client.send(.get(orders))
                return transport.sent.map(\.instant.offset)
            }
        }

        let all = try (0..<1000).map(times)

        try expectEqual(times(seed: 1), all[1])
        expectTrue(Set(all).count > 900)
        expectTrue(all.allSatisfy { $0[1] <= .milliseconds(200) })
        expectTrue(all.allSatisfy { $0[2] - $0[1] <= .milliseconds(400) })
    }
}
