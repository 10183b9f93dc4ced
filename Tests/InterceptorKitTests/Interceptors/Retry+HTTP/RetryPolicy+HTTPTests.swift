import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestRun
import TestSupport
import Testing

@Suite("RetryInterceptor and Retry-After")
struct RetryAfterTests {
    @Test(
        "waits as long as the server asks, in seconds or until a date",
        arguments: [
            ("2", Duration.seconds(2)),
            ("Thu, 01 Jan 2026 00:00:02 GMT", .seconds(2)),
            ("Thursday, 01-Jan-26 00:00:02 GMT", .seconds(2)),
            ("Thu Jan  1 00:00:02 2026", .seconds(2)),
            ("Wed, 31 Dec 2025 23:59:00 GMT", .zero),
            ("0", .zero),
        ]
    )
    func retryAfter(value: String, expected: Duration) async throws {
        let steps: [ScriptStep<HTTP.Request>] = [
            .status(503, headers: ["Retry-After": value]), .status(200),
        ]

        let waits = try await besideOtherTests {
            try (0..<1000).map { try RetryRun.once(steps, seed: $0).times[1] }
        }

        expectTrue(waits.allSatisfy { $0 >= expected && $0 <= expected + expected / 10 })
    }

    @Test("waits as Retry-After says, and not as long as its own backoff")
    func askedWait() async throws {
        var policy = RetryPolicy<HTTP.Request>.steady
        policy.overloadBackoff.base = .seconds(5)

        let run = try await RetryRun.of(
            [.status(429, headers: ["Retry-After": "1"]), .status(200)],
            policy: policy,
            isVarying: true
        )

        #expect(try unwrap(run.times.last) >= .seconds(1))
        #expect(try unwrap(run.times.last) <= .milliseconds(1100))
    }

    @Test("gives up at once if Retry-After exceeds its maximum")
    func tooLongRetryAfter() async throws {
        for value in ["3600", "99999999999999999999999"] {
            let run = try await RetryRun.of([
                .status(503, headers: ["Retry-After": value]), .status(200),
            ])

            try expectEqual(run.result.get().status, 503)
            expectEqual(run.sent.count, 1)
            expectEqual(run.elapsed, .zero)
        }
    }

    @Test("can be told to ignore Retry-After")
    func disrespected() async throws {
        var policy = RetryPolicy<HTTP.Request>.steady
        policy.respectsRetryAfter = false

        let run = try await RetryRun.of(
            [.status(500, headers: ["Retry-After": "3600"]), .status(200)],
            policy: policy
        )

        expectEqual(run.times, [.zero, .milliseconds(50)])
    }
}
