import Expectations
import InterceptorKit
import TestSupport
import Testing

@Suite("CircuitBreakerPolicy")
struct CircuitBreakerPolicyTests {
    @Test("has the documented defaults")
    func defaults() throws {
        let policy = CircuitBreakerPolicy()

        try policy.validate()
        expectEqual(policy.failureRatio, 0.5)
        expectEqual(policy.minimumCalls, 20)
        expectEqual(policy.window, .seconds(30))
        expectEqual(policy.slowCallDuration, nil)
        expectEqual(policy.breakDuration, .seconds(5))
        expectEqual(policy.maxBreakDuration, .seconds(60))
        expectEqual(policy.jitter, 0.2)
        expectEqual(policy.successesToClose, 2)
        expectEqual(policy.maxRetryAfter, .seconds(60))
        expectEqual(policy.authorityLimit, 64)
    }

    @Test(
        "refuses invalid numbers, with an explanation",
        arguments: [
            Refusal({ $0.failureRatio = 0 }, "failureRatio is 0.0 and must be more than 0"),
            Refusal({ $0.failureRatio = .nan }, "failureRatio is nan"),
            Refusal({ $0.failureRatio = 1.01 }, "failureRatio is 1.01"),
            Refusal({ $0.minimumCalls = 0 }, "minimumCalls is 0 and must be at least 1."),
            Refusal({ $0.minimumCalls = .min }, "minimumCalls is -9223372036854775808"),
            Refusal({ $0.window = .zero }, "window is 0 s and must be more than zero"),
            Refusal({ $0.window = .seconds(-1) }, "window is -1 s"),
            Refusal({ $0.window = .seconds(1e18) }, "at most 100 years."),
            Refusal({ $0.slowCallDuration = .zero }, "slowCallDuration is 0 s"),
            Refusal({ $0.slowCallRatio = -0.5 }, "slowCallRatio is -0.5"),
            Refusal({ $0.breakDuration = .zero }, "breakDuration is 0 s"),
            Refusal({ $0.breakDuration = .seconds(61) }, "at most maxBreakDuration, 60 s."),
            Refusal({ $0.maxBreakDuration = .seconds(-1) }, "maxBreakDuration is -1 s"),
            Refusal({ $0.jitter = .nan }, "jitter is nan and must be from 0.0 to 0.9."),
            Refusal({ $0.jitter = -0.1 }, "jitter is -0.1"),
            Refusal({ $0.jitter = .infinity }, "jitter is inf"),
            Refusal({ $0.successesToClose = 0 }, "successesToClose is 0"),
            Refusal({ $0.maxRetryAfter = .seconds(-1) }, "maxRetryAfter is -1 s and must"),
            Refusal({ $0.authorityLimit = 0 }, "authorityLimit is 0"),
        ] as [Refusal<CircuitBreakerPolicy>]
    )
    func refusals(refusal: Refusal<CircuitBreakerPolicy>) {
        var policy = CircuitBreakerPolicy()
        refusal.change(&policy)

        let error = #expect(throws: SettingError.self) { try policy.validate() }

        expectEqual(error?.description.contains(refusal.text), true)
        expectEqual(error?.description.hasSuffix("."), true)
    }

    @Test("is validated when a pipeline is built, or by each call without one")
    func building() async throws {
        var policy = CircuitBreakerPolicy()
        policy.jitter = .nan
        let interceptor = CircuitBreakerInterceptor<Int>(CircuitBreaker(policy: policy))

        let error = #expect(throws: PipelineError.self) {
            try Pipeline(transport: Echo<Int>()) { interceptor }
        }
        expectEqual(error?.message.contains("jitter is nan"), true)
        await #expect(throws: SettingError.self) {
            try await InterceptorChain(input: 1, transport: Echo<Int>())
                .add(interceptor: interceptor)
                .proceed()
        }
    }
}
