import InterceptorKit
import InterceptorKitTesting
import Testing

@Suite("RetryInterceptor and what comes back unprocessed")
struct RetryResendTests {
    private static let refused = ScriptStep<HTTP.Request>.fail(
        TransportError(.connectionLost, "REFUSED_STREAM.", isCertainlyUnsent: true)
    )

    @Test("sends it again at once, which is no attempt")
    func atOnce() async throws {
        let run = try await RetryRun.of([
            Self.refused, .status(503), .status(503), .status(503), .status(200),
        ])

        let response = try run.result.get()
        #expect(response.status == 503)
        #expect(run.times == [0, 0, 50, 150].map { .milliseconds($0) })
        #expect(response.attempts.map(\.number) == [1, 1, 2, 3])
    }

    @Test("does so whatever the method")
    func post() async throws {
        let run = try await RetryRun.of(
            [Self.refused, .status(201)],
            for: .post(orders, body: "x")
        )

        #expect(run.times == [.zero, .zero])
        #expect(run.sent.map(\.body.inMemory) == [.init("x".utf8), .init("x".utf8)])
    }

    @Test("does so once in a call; the next time is an attempt like any, after a wait")
    func once() async throws {
        let run = try await RetryRun.of(Array(repeating: Self.refused, count: 9))

        #expect(run.times == [0, 0, 50, 150].map { .milliseconds($0) })
    }

    @Test("takes nothing from the budget for it")
    func budget() async throws {
        var policy = RetryPolicy<HTTP.Request>.steady
        policy.budget = RetryBudget(ratio: 0, floorPerSecond: 0)

        let run = try await RetryRun.of([Self.refused, Self.refused, .status(200)], policy: policy)

        #expect(run.sent.count == 2)
    }

    @Test("counts one that could not connect as an attempt, which waits")
    func cannotConnect() async throws {
        let down = TransportError(.cannotConnect, "Refused.", isCertainlyUnsent: true)

        let run = try await RetryRun.of(
            [.fail(down), .status(201)],
            for: .post(orders, body: "x")
        )

        #expect(run.times == [.zero, .milliseconds(50)])
    }

    @Test("sends no body again that can be read once")
    func oneShot() async throws {
        let body = HTTP.Body.oneShot(AsyncStream { $0.finish() })

        let run = try await RetryRun.of(
            [Self.refused, .status(201)],
            for: .post(orders, body: body)
        )

        #expect(throws: TransportError.self) { try run.result.get() }
        #expect(run.sent.count == 1)
    }

    @Test("sends once where retries are off, for a call or by the policy")
    func off() async throws {
        var policy = RetryPolicy<HTTP.Request>.steady
        policy.resendsHandedBack = false
        policy.maxAttempts = 1

        let run = try await RetryRun.of([Self.refused, .status(200)], policy: policy)
        policy.resendsHandedBack = true
        let single = try await RetryRun.of([Self.refused, .status(200)], policy: policy)

        #expect(run.sent.count == 1)
        #expect(single.sent.count == 1)
    }
}
