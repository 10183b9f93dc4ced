package import InterceptorKit

extension RetryPolicy {
    /// The standard policy without waits.
    package static var immediate: RetryPolicy {
        var policy = RetryPolicy(classifier: OutcomeClassifier<Input>.standard)
        policy.backoff = Backoff(base: .zero, cap: .zero)
        policy.budget = nil
        return policy
    }
}
