import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("RetryPolicy's hook")
struct RetryHookTests {
    private static let busy = ScriptStep<HTTP.Request>.status(503)

    private func policy(_ hook: @escaping RetryPolicy<HTTP.Request>.Hook) -> RetryPolicy<
        HTTP.Request
    > {
        var policy = RetryPolicy<HTTP.Request>.steady
        policy.hook = hook
        return policy
    }

    @Test("may return the policy's own decision and change nothing")
    func ownAnswer() async throws {
        let run = try await RetryRun.of(
            [Self.busy, Self.busy, .status(200)],
            policy: policy { _, _, answer in answer }
        )

        expectEqual(run.times, [.zero, .milliseconds(50), .milliseconds(150)])
    }

    @Test("may retry at once")
    func retry() async throws {
        let run = try await RetryRun.of(
            [Self.busy, .status(200)],
            policy: policy { _, _, _ in .retry }
        )

        expectEqual(run.times, [.zero, .zero])
    }

    @Test("may choose the wait, after which the policy's backoff starts over")
    func retryAfter() async throws {
        let run = try await RetryRun.of(
            [Self.busy, Self.busy, Self.busy],
            policy: policy { outcome, _, answer in
                outcome.attempt == 1 ? .retryAfter(.seconds(1)) : answer
            }
        )

        expectEqual(run.times, [.zero, .seconds(1), .milliseconds(1050)])
    }

    @Test("may return the outcome to the caller")
    func doNotRetry() async throws {
        let run = try await RetryRun.of(
            [.status(503, body: "busy")],
            policy: policy { _, _, _ in .doNotRetry }
        )

        try await expectEqual(run.result.get().text(), "busy")
    }

    @Test("may replace the outcome by an error, which releases the response")
    func doNotRetryWithError() async throws {
        let stream = CountingStream(chunks: 100)
        let run = try RetryRun.once(
            [.status(404, body: .oneShot(stream))],
            .get(orders),
            policy { _, _, _ in .doNotRetryWithError(Problem(text: "gone")) },
            seed: 0
        )

        #expect(throws: Problem(text: "gone")) { try run.result.get() }
        expectEqual(stream.cancels, 1)
    }

    @Test("has its replacement carry the error that it replaces")
    func replacement() async throws {
        struct Replacement: ReplacementError { var replacedError: (any Error)? }
        let lost = TransportError(.connectionLost, "The connection was lost.")
        func thrown(
            _ step: ScriptStep<HTTP.Request>,
            _ hook: @escaping RetryPolicy<HTTP.Request>.Hook
        ) async throws -> Replacement? {
            let run = try await RetryRun.of([step], policy: policy(hook))
            return #expect(throws: Replacement.self) { try run.result.get() }
        }

        let returned = try await thrown(.fail(lost)) { _, _, _ in
            .doNotRetryWithError(Replacement())
        }
        let threw = try await thrown(.fail(lost)) { _, _, _ in throw Replacement() }
        let ofResponse = try await thrown(.status(503)) { _, _, _ in throw Replacement() }

        expectEqual((returned?.replacedError as? TransportError)?.code, .connectionLost)
        expectEqual((threw?.replacedError as? TransportError)?.code, .connectionLost)
        expectTrue(ofResponse != nil)
        expectTrue(ofResponse?.replacedError == nil)
    }

    @Test("may retry what the policy would not")
    func permanent() async throws {
        let run = try await RetryRun.of(
            [.status(404), .status(200)],
            for: .post(orders, body: "x"),
            policy: policy { _, _, _ in .retryAfter(.milliseconds(10)) }
        )

        try expectEqual(run.result.get().status, 200)
    }

    @Test("can't exceed the maximum of attempts")
    func attempts() async throws {
        let run = try await RetryRun.of(
            Array(repeating: Self.busy, count: 9),
            policy: policy { _, _, _ in .retry }
        )

        expectEqual(run.sent.count, 3)
    }

    @Test("can't retry a one-shot body")
    func oneShot() async throws {
        let body = HTTP.Body.oneShot(AsyncStream { $0.finish() })

        let run = try await RetryRun.of(
            [Self.busy, .status(200)],
            for: .put(orders, body: body),
            policy: policy { _, _, _ in .retry }
        )

        expectEqual(run.sent.count, 1)
    }

    @Test("can't wait beyond the deadline")
    func deadline() async throws {
        let run = try await RetryRun.of(
            [Self.busy, .status(200)],
            policy: policy { _, _, _ in .retryAfter(.seconds(3)) },
            timeout: .seconds(3)
        )

        expectEqual(run.sent.count, 1)
        expectEqual(run.elapsed, .zero)
    }

    @Test("retries at once if it asks for a negative wait")
    func negative() async throws {
        let run = try await RetryRun.of(
            [Self.busy, .status(200)],
            policy: policy { _, _, _ in .retryAfter(.seconds(-5)) }
        )

        expectEqual(run.times, [.zero, .zero])
    }

    @Test("sees each outcome but success, its classification and the decision")
    func told() async throws {
        let told = Recorder<String>()
        _ = try RetryRun.once(
            [.status(429), .status(404)],
            .get(orders),
            policy { outcome, classification, answer in
                told.note("\(outcome.attempt) \(classification.kind) \(answer)")
                return answer
            },
            seed: 0
        )
        _ = try RetryRun.once(
            [.status(200)],
            .get(orders),
            policy { _, _, answer in
                told.note("success")
                return answer
            },
            seed: 0
        )

        expectEqual(
            told.entries,
            ["1 throttled retryAfter(1.0 seconds)", "2 permanent doNotRetry"]
        )
    }

    @Test("fails the call with the error that it throws, and nothing stays open")
    func throwing() async throws {
        let stream = CountingStream(chunks: 100)
        let run = try RetryRun.once(
            [.status(503, body: .oneShot(stream))],
            .get(orders),
            policy { _, _, _ in throw Problem(text: "hook") },
            seed: 0
        )

        #expect(throws: Problem(text: "hook")) { try run.result.get() }
        expectEqual(stream.cancels, 1)
        expectEqual(run.sent.count, 1)
    }
}
