extension RetryPolicy {
    /// Throws if the numbers cannot work.
    public func validate() throws(RetryPolicyError) {
        guard maxAttempts >= 1 else {
            throw RetryPolicyError(
                "maxAttempts is \(maxAttempts); it counts the first send and is at least 1."
            )
        }
        guard maxAttempts <= RetryLimits.usualAttempts || allowsManyAttempts else {
            throw RetryPolicyError(
                "maxAttempts is \(maxAttempts); more than \(RetryLimits.usualAttempts) multiply the load "
                    + "of a service that is failing. Set allowsManyAttempts if they are meant."
            )
        }
        try backoff.validate()
        try throttledBackoff.validate()
        guard maxRetryAfter >= .zero else {
            throw RetryPolicyError("maxRetryAfter cannot be negative.")
        }
        try budget?.validate()
    }
}

extension Backoff {
    fileprivate func validate() throws(RetryPolicyError) {
        guard base >= .zero, cap >= .zero else {
            throw RetryPolicyError("A backoff's base and cap cannot be negative.")
        }
        guard growth >= 1, growth.isFinite else {
            throw RetryPolicyError("A backoff's growth is \(growth); it is a number from 1.")
        }
        if case .within(let range) = jitter {
            guard range.lowerBound >= 0, range.upperBound <= 100 else {
                throw RetryPolicyError(
                    "A backoff's jitter is within \(range); its fractions lie between 0 and 100."
                )
            }
        }
    }
}

/// Why a retry policy, a hedge policy or a budget cannot work.
public struct RetryPolicyError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, in whole sentences.
    public let description: String

    /// Creates an error, for a budget of one's own.
    /// - Parameter description: What is wrong, in whole sentences.
    public init(_ description: String) { self.description = description }
}
