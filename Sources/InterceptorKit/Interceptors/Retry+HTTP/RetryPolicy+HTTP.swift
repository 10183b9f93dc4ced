extension RetryPolicy where Input == HTTP.Request {
    /// The policy for HTTP: classifies by the standard ``OutcomeClassifier`` and repeats only what is
    /// safe to send twice.
    ///
    /// That is a request with an idempotent method (RFC 9110 section 9.2.2) or an `Idempotency-Key`,
    /// one whose call says so (``Call/isIdempotent``), or one that certainly was not sent; and only if
    /// its body can be sent again.
    public static var standard: RetryPolicy {
        RetryPolicy(classifier: .inherited) { request, call, classification in
            classification.isUnsent || call.isIdempotent ?? request.isKnownIdempotent
        }
    }

    /// As `standard`, with one retry: what most of the gain comes from.
    public static var conservative: RetryPolicy {
        var policy = standard
        policy.maxAttempts = 2
        return policy
    }

    /// As `standard`, with four retries and a budget of half the first attempts: for the few callers of
    /// a service that is meant to be asked again.
    public static var aggressive: RetryPolicy {
        var policy = standard
        policy.maxAttempts = 5
        policy.budget = RetryBudget(ratio: 0.5)
        return policy
    }

    /// As `standard`, for services that take every request twice: any method is repeated, unless its
    /// call says otherwise.
    public static var idempotent: RetryPolicy {
        RetryPolicy(classifier: .inherited)
    }

    /// Returns this policy with a field in every request that is sent again, which says how many times
    /// it was sent before: 1 in the first retry.
    /// - Parameter name: The field's name. Defaults to `Retry-Attempt`.
    public func markingRetries(with name: String = "Retry-Attempt") -> RetryPolicy {
        var policy = self
        policy.prepare = { [prepare] request, call in
            prepare?(&request, call)
            request.headers[name] = "\(call.attempt - 1)"
        }
        return policy
    }
}

extension HTTP.Request {
    fileprivate var isKnownIdempotent: Bool {
        method.isIdempotent || headers.namesOperation
    }
}
