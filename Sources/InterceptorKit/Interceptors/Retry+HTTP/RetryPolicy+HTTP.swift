extension RetryPolicy where Input == HTTP.Request {
    /// The policy for HTTP: classifies with the standard ``OutcomeClassifier`` and retries only requests that
    /// are safe to send twice.
    ///
    /// Safe is a request with an idempotent method (RFC 9110 section 9.2.2) or an `Idempotency-Key`, one
    /// whose call says so (``Call/isIdempotent``), or one that is known to be unsent; and only if its body
    /// can be sent again.
    public static var standard: RetryPolicy {
        RetryPolicy(classifier: .inherited) { request, call, classification in
            classification.isUnsent || call.isIdempotent ?? request.isKnownIdempotent
        }
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
        policy.maxAttempts = 5
        policy.budget = RetryBudget(reserve: 10)
        return policy
    }

    /// The standard policy for services that accept every request twice: any method is retried, unless its
    /// call says otherwise.
    public static var idempotent: RetryPolicy {
        RetryPolicy(classifier: .inherited)
    }

    /// Returns this policy with a field in every request that is sent again, which counts the earlier sends:
    /// 1 in the first retry.
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
