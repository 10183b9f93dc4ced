import Expectations
import InterceptorKit
import TestSupport
import Testing

@Suite("ConcurrencyLimitPolicy")
struct ConcurrencyLimitPolicyTests {
    @Test("has the documented defaults")
    func defaults() {
        expectEqual(ConcurrencyLimiter().policy, ConcurrencyLimitPolicy(limit: 1000, queueLimit: 0))
        expectEqual(
            ConcurrencyLimitPolicy.perAuthority,
            ConcurrencyLimitPolicy(
                limit: 64,
                queueLimit: 64,
                scope: .eachAuthority(authorityLimit: 64)
            )
        )
    }

    @Test(
        "refuses invalid numbers",
        arguments: [
            Refusal({ $0.limit = 0 }, "limit is 0 and must be at least 1."),
            Refusal({ $0.limit = -5 }, "limit is -5"),
            Refusal({ $0.queueLimit = -1 }, "queueLimit is -1 and must be at least 0."),
            Refusal({ $0.maxWait = .zero }, "maxWait is 0 s"),
            Refusal({ $0.maxWait = .seconds(1e15) }, "maxWait is"),
            Refusal({ $0.scope = .eachAuthority(authorityLimit: 0) }, "authorityLimit is 0"),
        ] as [Refusal<ConcurrencyLimitPolicy>]
    )
    func refusals(refusal: Refusal<ConcurrencyLimitPolicy>) {
        var policy = ConcurrencyLimitPolicy.safetyNet
        refusal.change(&policy)

        let error = #expect(throws: PipelineError.self) {
            try Pipeline(transport: Echo<Int>()) { [policy] in
                ConcurrencyLimitInterceptor(policy: policy)
            }
        }

        expectEqual(error?.message.contains(refusal.text), true)
    }
}
