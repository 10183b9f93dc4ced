import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("RetryInterceptor and its budget")
struct RetryInBudgetTests {
    private func sends(
        _ requests: [HTTP.Request],
        _ policy: RetryPolicy<HTTP.Request>,
        status: HTTP.Status = 503,
        events: (any EventSink)? = nil
    ) throws -> (sends: [HTTP.Request], elapsed: Duration) {
        try Simulation.run { simulation in
            let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(status) }
            let client = try simulation.client(transport, events: events) {
                RetryInterceptor(policy: policy)
            }
            for request in requests { _ = try await client.send(request) }
            return (transport.sent.map(\.input), simulation.now.offset)
        }
    }

    private func policy(_ budget: any RetryLimiter) -> RetryPolicy<HTTP.Request> {
        var policy = RetryPolicy<HTTP.Request>.steady
        policy.budget = budget
        return policy
    }

    @Test("returns the outcome at once if the budget is exhausted, and says why")
    func usedUp() throws {
        let sink = RecordingEventSink()

        let run = try sends(
            [.get(orders)],
            policy(RetryBudget(reserve: 0)),
            events: sink
        )

        expectEqual(run.sends.count, 1)
        expectEqual(run.elapsed, .zero)
        let stop = sink.events.first { $0.name == .retryStopped }
        expectEqual(stop?.attributes["rule"], .text("budget"))
        expectEqual(stop?.attributes["outcome"], .text("503 Service Unavailable"))
    }

    @Test("adds three sends to a thousand failing calls")
    func thousand() throws {
        let run = try sends(Array(repeating: .get(orders), count: 1000), policy(RetryBudget()))

        expectEqual(run.sends.count, 1003)
    }

    @Test("recognises a host in any spelling")
    func spellings() throws {
        let run = try sends(
            [
                .get("https://a.example/1"), .get("HTTPS://A.example:443/2"),
                .get("https://a.example?3"), .get("https://a.example:444"),
                .get("https://a.example.org/"),
            ],
            policy(RetryBudget(reserve: 2))
        )

        expectEqual(run.sends.count, 3 + 1 + 1 + 3 + 3)
    }

    @Test("takes nothing from the budget if it doesn't retry", arguments: [400, 404, 501, 401])
    func fatal(code: Int) throws {
        let budget = RetryBudget()

        _ = try sends([.get(orders)], policy(budget), status: HTTP.Status(code))

        expectEqual(budget.tokens(of: "https://api.example.com"), 3)
    }

    @Test("notifies the budget of first attempts, failures and successes")
    func told() throws {
        let told = NotingAllowance()
        try Simulation.run { simulation in
            let transport = ScriptedTransport<HTTP.Request>(replies: [
                .status(503), .status(429), .status(200), .status(200),
            ])
            let client = try simulation.client(transport) {
                RetryInterceptor(policy: policy(told))
            }
            _ = try await client.send(.get(orders))
            _ = try await client.send(.get(orders))
        }

        expectEqual(
            told.notes.entries,
            [
                "first", "failure 503 Service Unavailable", "asked 503 Service Unavailable",
                "failure 429 Too Many Requests", "asked 429 Too Many Requests",
                "success after 429 Too Many Requests", "first", "success",
            ]
        )
    }

    @Test("restarts its attempts for each call")
    func perCall() throws {
        let attempts = try Simulation.run { simulation in
            let transport = ScriptedTransport<HTTP.Request> { _, call in
                HTTP.Response(call.attempt == 2 ? 200 : 503)
            }
            let client = try simulation.client(transport) { RetryInterceptor(policy: .steady) }
            var attempts: [[Int]] = []
            for _ in 0..<3 {
                let response = try await client.send(.get(orders))
                attempts.append(response.attempts.map(\.number))
            }
            return attempts
        }

        expectEqual(attempts, [[1, 2], [1, 2], [1, 2]])
    }

    @Test("sends a replayable stream whole each time")
    func replayable() async throws {
        let body = HTTP.Body.replayable {
            AsyncStream { chunks in
                for text in ["one ", "two"] { chunks.yield(Data(text.utf8)) }
                chunks.finish()
            }
        }
        let contents = try Simulation.run { simulation in
            let transport = ScriptedTransport<HTTP.Request>(replies: [
                .status(503), .status(503), .status(200),
            ])
            let client = try simulation.client(transport) { RetryInterceptor(policy: .steady) }
            _ = try await client.send(.put(orders, body: body))
            return transport.sent.map(\.body.text)
        }

        expectEqual(contents, ["one two", "one two", "one two"])
    }
}

struct NotingAllowance: RetryLimiter {
    let notes = Recorder<String>()

    func recordFirstAttempt(to authority: String?, at instant: Runtime.Instant) {
        notes.note("first")
    }

    func allowsResend(
        to authority: String?,
        at instant: Runtime.Instant,
        after failure: Classification?
    ) -> Bool {
        notes.note("asked \(failure?.reason ?? "")")
        return true
    }

    func recordFailure(to authority: String?, _ failure: Classification) {
        notes.note("failure \(failure.reason)")
    }

    func recordSuccess(to authority: String?, after failure: Classification?) {
        notes.note(failure.map { "success after \($0.reason)" } ?? "success")
    }
}
