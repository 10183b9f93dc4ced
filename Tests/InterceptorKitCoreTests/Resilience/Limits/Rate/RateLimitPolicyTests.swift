import Expectations
import InterceptorKit
import TestSupport
import Testing

@Suite("RateLimitPolicy")
struct RateLimitPolicyTests {
    @Test("has the documented defaults")
    func defaults() {
        let policy = RateLimitPolicy(calls: 5)

        expectEqual(policy.period, .seconds(1))
        expectEqual(policy.burst, 5)
        expectEqual(policy.maxPause, .seconds(60))
        expectEqual(policy.queueLimit, 1000)
        expectEqual(policy.authorityLimit, 64)
        expectEqual(RateLimiter().policy.calls, nil)
    }

    @Test(
        "refuses invalid numbers",
        arguments: [
            Refusal({ $0.calls = 0 }, "calls is 0 and must be at least 1."),
            Refusal({ $0.calls = -2 }, "calls is -2"),
            Refusal({ $0.period = .zero }, "period is 0 s"),
            Refusal({ $0.period = .seconds(-1) }, "period is -1 s"),
            Refusal({ $0.period = .seconds(1e17) }, "at most 100 years."),
            Refusal({ $0.burst = 0 }, "burst is 0"),
            Refusal({ $0.burst = .max }, "burst is 9223372036854775807 and must be from 1 to"),
            Refusal({ $0.queueLimit = -1 }, "queueLimit is -1 and must be at least 0."),
            Refusal({ $0.maxPause = .seconds(-1) }, "maxPause is -1 s"),
            Refusal({ $0.authorityLimit = 0 }, "authorityLimit is 0"),
        ] as [Refusal<RateLimitPolicy>]
    )
    func refusals(refusal: Refusal<RateLimitPolicy>) {
        var policy = RateLimitPolicy(calls: 1)
        refusal.change(&policy)

        let error = #expect(throws: PipelineError.self) {
            try Pipeline(transport: Echo<Int>()) { [policy] in
                RateLimitInterceptor(policy: policy)
            }
        }

        expectEqual(error?.message.contains(refusal.text), true)
    }
}
