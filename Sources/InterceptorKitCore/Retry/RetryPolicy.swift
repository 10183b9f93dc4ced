/// The rules for when and how often failed attempts are retried.
///
/// A policy is a value: start from `standard` and change what differs. Its budget is an object: copies of a
/// policy share it.
public struct RetryPolicy<Input: Interceptable>: Sendable {
    /// A closure that decides whether sending an input again is safe after an outcome.
    public typealias Repeatability =
        @Sendable (
            _ input: Input, _ call: Call, _ classification: Classification
        ) -> Bool

    /// A closure that decides what to do after an attempt that didn't succeed.
    public typealias Hook =
        @Sendable (
            _ outcome: Outcome<Input>, _ classification: Classification, _ result: RetryResult
        ) async throws -> RetryResult

    /// The maximum number of attempts, the first included. Defaults to 4.
    ///
    /// With three, a server that answers 30 of 100 requests with a 503 still fails 3 calls of 100; the
    /// budget bounds what the others cost.
    public var maxAttempts = 4

    /// Whether more than five attempts are allowed. With `false`, the default, building a pipeline refuses
    /// them (five is the cap of gRFC A6).
    public var allowsManyAttempts = false

    /// The waits after other transient failures. Defaults to full jitter from 200 ms to 20 s, the
    /// result of a sweep in the league of `Examples/Resilience`.
    public var backoff = Backoff(base: .milliseconds(200))

    /// The waits after timeouts and throttling, when the server has too much to do. Defaults to full jitter
    /// from 4 s to 20 s (same source).
    public var overloadBackoff = Backoff(base: .seconds(4))

    /// Whether waits follow the server's `Retry-After`. Defaults to `true`.
    public var respectsRetryAfter = true

    /// The longest `Retry-After` that is waited for; a longer one ends the retries. Defaults to 60 s (as in
    /// Renovate).
    public var maxRetryAfter: Duration = .seconds(60)

    /// Whether an input that was returned unprocessed (``Classification/isReturnedUnprocessed``) is sent
    /// again at once, once per call. It costs neither an attempt nor budget (the transparent retry of gRFC
    /// A6). Defaults to `true`.
    public var resendsUnprocessed = true

    /// The limit on the load that retries add to each authority; `nil` means no limit. Defaults to its own
    /// ``RetryBudget``.
    public var budget: (any RetryLimiter)? = RetryBudget()

    /// The classifier of outcomes.
    public var classifier: OutcomeClassifier<Input>

    /// Additional outcomes to retry, whether or not ``isRepeatable`` holds; `nil`, the default, adds none.
    public var alsoRetries: (@Sendable (_ outcome: Outcome<Input>) -> Bool)?

    /// Whether sending an input again is safe. An input that is not replayable
    /// (``Interceptable/isReplayable(_:)``) is never sent again, whatever this returns.
    public var isRepeatable: Repeatability

    /// A closure that may override the policy's decision after each attempt that didn't succeed; `nil`, the
    /// default, uses the policy's decision.
    ///
    /// It gets the policy's own decision, to return or to replace. A retry that it asks for is still subject
    /// to the limit of attempts, to the input being replayable, to the deadline and to the budget, and its
    /// wait replaces `Retry-After`. After a wait of its choice, the policy's own waits begin again. The
    /// caller gets any error that it throws; see ``ReplacementError``.
    public var hook: Hook?

    /// A closure that changes an input before it is sent again; `nil`, the default, changes nothing. Each
    /// attempt starts from the original input, and ``Call/attempt`` is the number of the next one.
    public var prepare: (@Sendable (_ input: inout Input, _ call: Call) -> Void)?

    /// Creates a policy with the default numbers.
    /// - Parameters:
    ///   - classifier: The classifier of outcomes. Defaults to the call's.
    ///   - isRepeatable: Whether sending an input again is safe. Defaults to the rule of the input's type
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
