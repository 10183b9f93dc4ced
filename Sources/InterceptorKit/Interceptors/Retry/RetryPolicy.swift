/// When and how often a failed attempt is repeated.
///
/// A policy is a value: start from `standard` and change what differs.
public struct RetryPolicy<Input: Interceptable>: Sendable {
    /// Says whether sending an input again is safe after an outcome.
    public typealias Repeatability =
        @Sendable (
            _ input: Input, _ classification: Classification
        ) -> Bool

    /// The largest number of sends, the first included. Defaults to 3.
    ///
    /// In the field the second retry succeeds in about 3 and the third in 2 of 100 cases
    /// (dotnet/extensions issue 7686).
    public var maxAttempts = 3

    /// Waits after transient failures. Defaults to full jitter from 50 ms to 20 s.
    public var backoff = Backoff()

    /// Waits after throttling. Defaults to full jitter from 1 s to 20 s.
    public var throttledBackoff = Backoff(base: .seconds(1))

    /// Whether the server's `Retry-After` counts. Defaults to `true`.
    public var respectsRetryAfter = true

    /// The longest `Retry-After` that is waited for; a longer one ends the retries instead of coming
    /// early. Defaults to 60 s (as Renovate).
    public var maxRetryAfter: Duration = .seconds(60)

    /// Says what an outcome means.
    public var classifier: OutcomeClassifier<Input>

    /// Whether sending an input again is safe.
    public var isRepeatable: Repeatability

    /// Creates a policy with the default numbers.
    /// - Parameters:
    ///   - classifier: Says what an outcome means.
    ///   - isRepeatable: Whether sending an input again is safe. Defaults to always.
    public init(
        classifier: OutcomeClassifier<Input>,
        isRepeatable: @escaping Repeatability = { _, _ in true }
    ) {
        self.classifier = classifier
        self.isRepeatable = isRepeatable
    }

    /// Throws if the numbers cannot work.
    public func validate() throws(RetryPolicyError) {
        guard maxAttempts >= 1 else {
            throw RetryPolicyError(
                "maxAttempts is \(maxAttempts); it counts the first send and is at least 1."
            )
        }
        for backoff in [backoff, throttledBackoff] where backoff.base < .zero || backoff.cap < .zero
        {
            throw RetryPolicyError("A backoff's base and cap cannot be negative.")
        }
        guard maxRetryAfter >= .zero else {
            throw RetryPolicyError("maxRetryAfter cannot be negative.")
        }
    }
}

/// Why a retry policy cannot work.
public struct RetryPolicyError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, in whole sentences.
    public let description: String

    init(_ description: String) { self.description = description }
}

extension RetryPolicy {
    /// Repeats after any error but cancellation, with the default numbers.
    public static var standard: RetryPolicy { RetryPolicy(classifier: .standard) }
}

extension RetryPolicy where Input == HTTP.Request {
    /// The policy for HTTP: classifies by the standard ``OutcomeClassifier`` and repeats only what is
    /// safe to send twice.
    ///
    /// That is a request with an idempotent method (RFC 9110 section 9.2.2) or an `Idempotency-Key`,
    /// or one that certainly was not sent; and only if its body can be sent again.
    public static var standard: RetryPolicy {
        RetryPolicy(classifier: .standard) { request, classification in
            guard request.body.isReplayable else { return false }
            return request.method.isIdempotent
                || request.headers.contains("Idempotency-Key")
                || classification.isUnsent
        }
    }
}
