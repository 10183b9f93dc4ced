package import InterceptorKit

extension RetryPolicy {
    /// The policy that retries any input, without waits.
    package static var immediate: RetryPolicy {
        var policy = RetryPolicy<Input>.idempotent
        policy.backoff = Backoff(base: .zero, cap: .zero)
        policy.budget = nil
        return policy
    }
}
