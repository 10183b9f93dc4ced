import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("RetryPolicy")
struct RetryPolicyTests {
    @Test("has three presets, for HTTP and for any other input")
    func presets() {
        expectEqual(RetryPolicy<Int>.standard.maxAttempts, 4)
        expectEqual(RetryPolicy<Int>.conservative.maxAttempts, 2)
        expectEqual(RetryPolicy<Int>.aggressive.maxAttempts, 5)
        expectEqual(RetryPolicy<HTTP.Request>.conservative.maxAttempts, 2)
        expectEqual(RetryPolicy<HTTP.Request>.aggressive.maxAttempts, 5)
    }

    @Test("judges HTTP by status in every preset, and sends a POST once", arguments: [0, 1, 2])
    func presetsForHTTP(index: Int) async throws {
        let presets: [RetryPolicy<HTTP.Request>] = [.standard, .conservative, .aggressive]
        let steps = Array(repeating: ScriptStep<HTTP.Request>.status(503), count: 9)

        let get = try RetryRun.once(steps, .get(orders), presets[index], seed: 0)
        let post = try RetryRun.once(steps, .post(orders), presets[index], seed: 0)

        expectEqual(get.sent.count, [4, 2, 5][index])
        expectEqual(post.sent.count, 1)
    }

    @Test("retries any method with the idempotent preset")
    func idempotentPreset() throws {
        let steps: [ScriptStep<HTTP.Request>] = [.status(503), .status(201)]

        let run = try RetryRun.once(steps, .post(orders, body: "x"), .idempotent, seed: 0)

        try expectEqual(run.result.get().status, 201)
    }

    @Test("refuses invalid numbers, each with an explanation")
    func validation() {
        let changes: [@Sendable (inout RetryPolicy<Int>) -> Void] = [
            { $0.maxAttempts = 0 }, { $0.maxAttempts = .min }, { $0.maxAttempts = 6 },
            { $0.backoff.base = .seconds(-1) }, { $0.overloadBackoff.cap = .seconds(-1) },
            { $0.backoff.growth = .nan }, { $0.backoff.growth = 0.9 },
            { $0.backoff.growth = .infinity }, { $0.backoff.jitter = .within(-0.1...1) },
            { $0.overloadBackoff.jitter = .within(0...Double.infinity) },
            { $0.maxRetryAfter = .seconds(-1) },
        ]

        for change in changes {
            var policy = RetryPolicy<Int>.standard
            change(&policy)

            let error = #expect(throws: SettingError.self) {
                try policy.validate()
            }
            expectEqual(error?.description.hasSuffix("."), true)
        }
    }

    @Test("accepts every number up to its bounds")
    func bounds() throws {
        let changes: [@Sendable (inout RetryPolicy<Int>) -> Void] = [
            { $0.maxAttempts = 1 }, { $0.maxAttempts = 5 },
            { ($0.maxAttempts, $0.allowsManyAttempts) = (6, true) },
            { $0.backoff.base = .zero }, { $0.backoff.cap = .zero }, { $0.backoff.growth = 1 },
            { $0.backoff.jitter = .within(0...100) }, { $0.maxRetryAfter = .zero },
        ]

        for change in changes {
            var policy = RetryPolicy<Int>.standard
            change(&policy)

            try policy.validate()
        }
    }

    @Test("accepts more than five attempts if they are allowed explicitly")
    func manyAttempts() throws {
        var policy = RetryPolicy<Int>.standard
        policy.maxAttempts = .max
        policy.allowsManyAttempts = true

        try policy.validate()
    }

    @Test("marks retries with their number, if told to")
    func marking() async throws {
        let steps: [ScriptStep<HTTP.Request>] = [.status(503), .status(503), .status(200)]

        let plain = try await RetryRun.of(steps)
        let marked = try await RetryRun.of(steps, policy: RetryPolicy.steady.markingRetries())
        let named = try await RetryRun.of(
            steps,
            policy: RetryPolicy.steady.markingRetries(with: "X-Try")
        )

        expectTrue(plain.sent.allSatisfy { !$0.headers.contains("Retry-Attempt") })
        expectEqual(marked.sent.map { $0.headers["Retry-Attempt"] }, [nil, "1", "2"])
        expectEqual(named.sent.map { $0.headers["X-Try"] }, [nil, "1", "2"])
    }

    @Test("prepares each attempt from the original input")
    func prepare() async throws {
        var policy = RetryPolicy<HTTP.Request>.steady
        policy.prepare = { request, call in
            request.url = "\(orders)?tried=\(call.attempt - 1)"
        }

        let run = try await RetryRun.of([.status(503), .status(503), .status(200)], policy: policy)

        expectEqual(run.sent.map(\.url.query), [nil, "tried=1", "tried=2"])
    }
}
