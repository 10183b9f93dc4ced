import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("RetryInterceptor and unprocessed requests")
struct RetryResendTests {
    private static let refused = ScriptStep<HTTP.Request>.fail(
        TransportError(.connectionLost, "REFUSED_STREAM.", isUnsent: true)
    )

    @Test("sends one again at once, without counting an attempt")
    func atOnce() async throws {
        let run = try await RetryRun.of([
            Self.refused, .status(503), .status(503), .status(503), .status(200),
        ])

        let response = try run.result.get()
        expectEqual(response.status, 503)
        expectEqual(run.times, [0, 0, 50, 150].map { .milliseconds($0) })
        expectEqual(response.attempts.map(\.number), [1, 1, 2, 3])
    }

    @Test("sends one again whatever the method")
    func post() async throws {
        let run = try await RetryRun.of(
            [Self.refused, .status(201)],
            for: .post(orders, body: "x")
        )

        expectEqual(run.times, [.zero, .zero])
        expectEqual(run.sent.map(\.body.inMemory), [.init("x".utf8), .init("x".utf8)])
    }

    @Test("sends one again at once only once a call, and then waits as usual")
    func once() async throws {
        let run = try await RetryRun.of(Array(repeating: Self.refused, count: 9))

        expectEqual(run.times, [0, 0, 50, 150].map { .milliseconds($0) })
    }

    @Test("takes nothing from the budget for sending one again")
    func budget() async throws {
        var policy = RetryPolicy<HTTP.Request>.steady
        policy.budget = RetryBudget(reserve: 0)

        let run = try await RetryRun.of([Self.refused, Self.refused, .status(200)], policy: policy)

        expectEqual(run.sent.count, 2)
    }

    @Test("counts a failed connection as an attempt, with a wait")
    func cannotConnect() async throws {
        let down = TransportError(.cannotConnect, "Refused.", isUnsent: true)

        let run = try await RetryRun.of(
            [.fail(down), .status(201)],
            for: .post(orders, body: "x")
        )

        expectEqual(run.times, [.zero, .milliseconds(50)])
    }

    @Test("doesn't send a one-shot body again")
    func oneShot() async throws {
        let body = HTTP.Body.oneShot(AsyncStream { $0.finish() })

        let run = try await RetryRun.of(
            [Self.refused, .status(201)],
            for: .post(orders, body: body)
        )

        #expect(throws: TransportError.self) { try run.result.get() }
        expectEqual(run.sent.count, 1)
    }

    @Test("sends once if retries are off, for a call or by the policy")
    func off() async throws {
        var policy = RetryPolicy<HTTP.Request>.steady
        policy.resendsUnprocessed = false
        policy.maxAttempts = 1

        let run = try await RetryRun.of([Self.refused, .status(200)], policy: policy)
        policy.resendsUnprocessed = true
        let single = try await RetryRun.of([Self.refused, .status(200)], policy: policy)

        expectEqual(run.sent.count, 1)
        expectEqual(single.sent.count, 1)
    }
}
