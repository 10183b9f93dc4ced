extension RetryPolicy {
    /// The policy of the input's type, with the default numbers: retries transient failures if sending the
    /// input again is safe; see ``Interceptable/defaults``.
    public static var standard: RetryPolicy { RetryPolicy() }

    /// The standard policy for services that accept every input twice: any is retried, unless its call says
    /// otherwise (``Call/isIdempotent``).
    public static var idempotent: RetryPolicy {
        RetryPolicy(isRepeatable: InputDefaults().isRepeatable)
    }

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
