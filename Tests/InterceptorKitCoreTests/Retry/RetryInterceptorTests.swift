import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("RetryInterceptor")
struct RetryInterceptorTests {
    @Test("retries transient failures until one succeeds, with growing waits")
    func eventuallySucceeds() async throws {
        let run = try await RetryRun.of([.status(503), .status(503), .status(200)])

        try expectEqual(run.result.get().status, 200)
        expectEqual(run.times, [.zero, .milliseconds(50), .milliseconds(150)])
        try expectEqual(run.result.get().attempts.map(\.number), [1, 2, 3])
    }

    @Test("returns the last response with its body when attempts are exhausted")
    func exhausted() async throws {
        let run = try await RetryRun.of([.status(500), .status(500), .status(500, body: "last")])

        let response = try run.result.get()
        expectEqual(response.status, 500)
        try await expectEqual(response.text(), "last")
        expectEqual(run.sent.count, 3)
        expectEqual(
            response.attempts.map(\.description),
            [
                "attempt 1: 500 Internal Server Error, then waited 0.05 s",
                "attempt 2: 500 Internal Server Error, then waited 0.1 s",
                "attempt 3: 500 Internal Server Error",
            ]
        )
    }

    @Test("retries a POST with an idempotency key, with the same key and body")
    func idempotencyKey() async throws {
        let request = HTTP.Request.post(
            orders,
            headers: ["Idempotency-Key": "\"k-1\""],
            body: "order"
        )

        let run = try await RetryRun.of([.status(503), .status(503), .status(201)], for: request)

        expectEqual(
            run.sent.map { $0.headers["Idempotency-Key"] },
            ["\"k-1\"", "\"k-1\"", "\"k-1\""]
        )
        expectEqual(
            run.sent.map(\.body.inMemory),
            Array(repeating: HTTP.Body.text("order").inMemory, count: 3)
        )
        expectEqual(run.sent.map(\.method), [.post, .post, .post])
    }
}
