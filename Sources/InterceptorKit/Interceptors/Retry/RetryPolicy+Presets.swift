extension RetryPolicy {
    /// Repeats after any error but cancellation, with the default numbers.
    public static var standard: RetryPolicy { RetryPolicy(classifier: .standard) }

    /// As `standard`, with one retry: what most of the gain comes from.
    public static var conservative: RetryPolicy { standard.conservative }

    /// As `standard`, with four retries and a budget of half the first attempts: for the few callers of
    /// a service that is meant to be asked again.
    public static var aggressive: RetryPolicy { standard.aggressive }

    var conservative: RetryPolicy {
        var policy = self
        policy.maxAttempts = 2
        return policy
    }

    var aggressive: RetryPolicy {
        var policy = self
        policy.maxAttempts = RetryLimits.usualAttempts
        policy.budget = RetryBudget(ratio: 0.5)
        return policy
    }
}
