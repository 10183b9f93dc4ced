extension RetryPolicy {
    /// The policy for any input: retries after any transient error, with the default numbers.
    public static var standard: RetryPolicy { RetryPolicy(classifier: .inherited) }

    /// The standard policy with one retry, which has most of the benefit.
    public static var conservative: RetryPolicy {
        var policy = standard
        policy.maxAttempts = 2
        return policy
    }

    /// The standard policy with four retries and a budget that can save up ten, for the few callers of a
    /// service that expects retries.
    public static var aggressive: RetryPolicy {
        var policy = standard
        policy.maxAttempts = RetryLimits.usualAttempts
        policy.budget = RetryBudget(reserve: 10)
        return policy
    }
}
