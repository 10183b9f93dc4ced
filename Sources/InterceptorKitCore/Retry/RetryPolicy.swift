/// The rules for when and how often failed attempts are retried.
///
/// A policy is a value: start from `standard` and change what differs. Copies share its budget, which is an object.
public struct RetryPolicy<Input: Interceptable>: Sendable {
    /// A closure that decides whether it is safe to send an input again after an outcome.
    public typealias Repeatability =
        @Sendable (
            _ input: Input, _ call: Call, _ classification: Classification
        ) -> Bool

    /// A closure that decides what to do after an attempt that didn't succeed.
    public typealias Hook =
        @Sendable (
            _ outcome: Outcome<Input>, _ classification: Classification, _ result: RetryResult
        ) async throws -> RetryResult

    /// The maximum number of attempts, including the first. Defaults to 4.
    ///
    /// With 3 attempts, a server that answers 30 of 100 requests with a 503 still fails 3 calls of 100. The budget
    /// bounds the cost of the other retries.
    public var maxAttempts = 4

    /// Whether more than five attempts are allowed. Defaults to `false`: a pipeline refuses them when it is built (five
    /// is the cap of gRFC A6).
    public var allowsManyAttempts = false

    /// The maximum numbers of retries after failures of each kind: connect, read, status and other. Defaults to none of
    /// their own.
    ///
    /// Where one of them ends the retries, the event's `rule` is `retries` (``Event/Name/retryStopped``);
    /// ``Attempt/stopReason`` is text.
    public var maxRetries = RetryCounts()

    /// The waits after other transient failures. Defaults to full jitter from 200 ms to 20 s, the result of a sweep in
    /// the league of `Examples/Resilience`.
    public var backoff = Backoff(base: .milliseconds(200))

    /// The waits after timeouts and throttling, which are signs of an overloaded server. Defaults to full jitter
    /// from 4 s to 20 s (same source).
    public var overloadBackoff = Backoff(base: .seconds(4))

    /// Whether waits follow the server's `Retry-After`. Defaults to `true`.
    public var respectsRetryAfter = true

    /// The longest `Retry-After` that is honoured; a longer one ends the retries. Defaults to 60 s (as in Renovate).
    public var maxRetryAfter: Duration = .seconds(60)

    /// Whether an input that was returned unprocessed (``Classification/isReturnedUnprocessed``) is sent again at once,
    /// once for each call. It costs no attempt and no budget (gRFC A6's transparent retry). Defaults to `true`.
    public var resendsUnprocessed = true

    /// The limiter of the load that retries add to an authority; `nil` means no limit. Defaults to a new
    /// ``RetryBudget``.
    public var budget: (any RetryLimiter)? = RetryBudget()

    /// The classifier of outcomes.
    public var classifier: OutcomeClassifier<Input>

    /// Further outcomes to retry, whether or not ``isRepeatable`` holds. Defaults to `nil`, which adds none.
    public var alsoRetries: (@Sendable (_ outcome: Outcome<Input>) -> Bool)?

    /// Whether it is safe to send an input again. An input that is not replayable (``Interceptable/isReplayable(_:)``)
    /// is never sent again, whatever this closure returns.
    public var isRepeatable: Repeatability

    /// A closure that may override the policy's decision after each attempt that didn't succeed. Defaults to `nil`,
    /// which uses the policy's decision.
    ///
    /// The closure gets the policy's decision, and returns or replaces it. A retry that it chooses is still subject to
    /// the limit of attempts, the replayability of the input, the deadline and the budget; its wait replaces
    /// `Retry-After`. After a wait of its choice, the policy's own waits begin again. The caller gets any error that
    /// the closure throws; see ``ReplacementError``.
    public var hook: Hook?

    /// A closure that changes an input before it is sent again. Defaults to `nil`, which changes nothing. Each attempt
    /// starts from the original input, and ``Call/attempt`` is the number of the next attempt.
    public var prepare: (@Sendable (_ input: inout Input, _ call: Call) -> Void)?

    /// Creates a policy with the default numbers.
    /// - Parameters:
    ///   - classifier: The classifier of outcomes. Defaults to the call's.
    ///   - isRepeatable: Whether it is safe to send an input again. Defaults to the rule of the input's type
    ///     (``InputDefaults/isRepeatable``).
    public init(
        classifier: OutcomeClassifier<Input> = .inherited,
        isRepeatable: @escaping Repeatability = Input.defaults.isRepeatable
    ) {
        self.classifier = classifier
        self.isRepeatable = isRepeatable
    }
}

extension RetryPolicy {
    /// The policy of the input's type, with the default numbers. It retries transient failures if it is safe to send
    /// the input again; see ``Interceptable/defaults``.
    public static var standard: RetryPolicy { RetryPolicy() }

    /// The standard policy for services that accept every input twice. It retries any input, unless the call says
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

    /// The standard policy with four retries and a budget that can save up ten tokens, for a service that expects
    /// retries and has few callers.
    public static var aggressive: RetryPolicy {
        var policy = standard
        policy.maxAttempts = RetryLimits.usualAttempts
        policy.budget = RetryBudget(reserve: 10)
        return policy
    }
}

extension RetryPolicy {
    /// Throws if the numbers cannot work.
    public func validate() throws(SettingError) {
        let check = SettingCheck(of: "RetryPolicy")
        try check.require(
            maxAttempts >= 1,
            "maxAttempts",
            "\(maxAttempts)",
            "at least 1",
            "It counts the first send."
        )
        try check.require(
            maxAttempts <= RetryLimits.usualAttempts || allowsManyAttempts,
            "maxAttempts",
            "\(maxAttempts)",
            "at most \(RetryLimits.usualAttempts)",
            "More attempts multiply the load of a failing service. Set allowsManyAttempts if they are "
                + "meant."
        )
        try maxRetries.validate(check)
        try backoff.validate(as: "backoff", check)
        try overloadBackoff.validate(as: "overloadBackoff", check)
        try check.notNegative("maxRetryAfter", maxRetryAfter)
        try budget?.validate()
    }
}

extension Backoff {
    fileprivate func validate(as name: String, _ check: SettingCheck) throws(SettingError) {
        try check.notNegative("\(name).base", base)
        try check.notNegative("\(name).cap", cap)
        let isGrowing = growth >= 1 && growth.isFinite
        try check.require(isGrowing, "\(name).growth", "\(growth)", "a number from 1")
        guard case .within(let range) = jitter else { return }
        let isAllowed = range.lowerBound >= 0 && range.upperBound <= 100
        try check.require(isAllowed, "\(name).jitter", "within \(range)", "within 0 to 100")
    }
}
