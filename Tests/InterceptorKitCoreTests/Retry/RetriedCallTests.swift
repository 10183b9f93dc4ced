import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("RetriedCall")
struct RetriedCallTests {
    @Test("records only the last 32 attempts")
    func boundedHistory() throws {
        var policy = RetryPolicy<HTTP.Request>.steady
        policy.maxAttempts = 1000
        policy.allowsManyAttempts = true
        let steps = Array(repeating: ScriptStep<HTTP.Request>.status(503), count: 1000)

        let run = try RetryRun.once(steps, .get(orders), policy, seed: 0)

        let attempts = try run.result.get().attempts
        expectEqual(run.sent.count, 1000)
        expectEqual(attempts.map(\.number), Array(969...1000))
    }

    @Test("throws the last error with the history of all attempts")
    func errorHistory() async throws {
        let lost = TransportError(.connectionLost, "The connection was lost.")
        let run = try await RetryRun.of([.fail(lost), .status(502), .fail(lost)])

        let error = #expect(throws: TransportError.self) { try run.result.get() }
        expectEqual(error?.code, .connectionLost)
        expectEqual(
            error?.attempts.map(\.reason),
            [
                "connectionLost", "502 Bad Gateway", "connectionLost",
            ]
        )
    }

    @Test("says on the error why it was not retried, if there were attempts left")
    func stopReasons() async throws {
        let lost = TransportError(.connectionLost, "The connection was lost.")
        func reason(_ request: HTTP.Request, _ policy: RetryPolicy<HTTP.Request>) async throws
            -> String?
        {
            let run = try await RetryRun.of(
                [.fail(lost), .fail(lost), .fail(lost)],
                for: request,
                policy: policy
            )
            let error = #expect(throws: TransportError.self) { try run.result.get() }
            return try unwrap(error).stopReason
        }
        var withoutBudget = RetryPolicy<HTTP.Request>.steady
        withoutBudget.budget = RetryBudget(reserve: 0)

        try await expectEqual(reason(.post(orders), .steady), "sending it again would not be safe")
        try await expectEqual(
            reason(.get(orders), withoutBudget),
            "the budget for sending again is used up"
        )
        try await expectEqual(reason(.get(orders), .steady), nil)
    }

    @Test("starts no wait that would exceed the deadline")
    func deadline() async throws {
        var policy = RetryPolicy<HTTP.Request>.steady
        policy.backoff.base = .milliseconds(500)

        let run = try await RetryRun.of(
            [.status(503).delayed(by: .milliseconds(2700)), .status(200)],
            policy: policy,
            timeout: .seconds(3)
        )

        try expectEqual(run.result.get().status, 503)
        expectEqual(run.elapsed, .milliseconds(2700))
    }
}
