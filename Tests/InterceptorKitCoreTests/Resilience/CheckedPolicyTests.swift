import Expectations
import InterceptorKit
import TestSupport
import Testing

/// What calls share is made without a word about its numbers, which anyone who uses it then refuses.
@Suite("CheckedPolicy")
struct CheckedPolicyTests {
    @Test("has what calls share work by the default numbers if its own cannot")
    func defaults() {
        var breaking = CircuitBreakerPolicy()
        breaking.authorityLimit = 0
        breaking.minimumCalls = 7
        var spacing = RateLimitPolicy(calls: 5)
        spacing.authorityLimit = 0

        expectEqual(CircuitBreaker(policy: breaking).policy, CircuitBreakerPolicy())
        expectEqual(RateLimiter(policy: spacing).policy, .asAdvised)
        expectEqual(
            ConcurrencyLimiter(policy: ConcurrencyLimitPolicy(limit: 5, queueLimit: -1)).policy,
            .safetyNet
        )
    }
}
