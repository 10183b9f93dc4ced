/// The rules for when and how often hedges are sent.
public struct HedgePolicy<Input: Interceptable>: Sendable {
    /// A closure that decides whether an input may be sent several times at once.
    public typealias Suitability = @Sendable (_ input: Input, _ call: Call) -> Bool

    /// A closure that makes one hedged attempt.
    public typealias Action = AnyInterceptor<Input>.Body

    /// The maximum number of attempts, including the first. Defaults to 2.
    public var maxAttempts = 2

    /// The time after which the next attempt is sent. Defaults to the 95th percentile of latencies.
    public var delay: HedgeDelay = .percentile()

    /// The limiter for hedges only; `nil` means no limit. Defaults to 5 % of the successes (Finagle).
    public var budget: (any RetryLimiter)? = RetryBudget(
        tokensPerSuccess: 0.05,
        refillTime: nil
    )

    /// The limiter that hedges share with other code, such as a ``RetryPolicy/budget``; `nil` means no limit. Defaults
    /// to a new ``RetryBudget``.
    public var sharedBudget: (any RetryLimiter)? = RetryBudget()

    /// The classifier of outcomes.
    public var classifier: OutcomeClassifier<Input>

    /// Whether an input may be sent several times at once. An input that is not replayable
    /// (``Interceptable/isReplayable(_:)``) is never hedged, whatever this closure returns.
    public var isSuitable: Suitability

    /// The action of each attempt after the first, as Polly's `ActionGenerator`. Defaults to `nil`, which sends the input
    /// as the first attempt did.
    ///
    /// Use it to ask elsewhere: proceed with a changed input for another endpoint, or send through another client or
    /// pipeline. The chain's ``Call/attempt`` is the number of the attempt, from 2. A credential that the input already
    /// has goes along; credential interceptors further in check the origin. The budgets are those of the first
    /// attempt's authority, and only first attempts count for ``HedgeDelay/percentile(_:minimumSamples:floor:refresh:fallback:)``.
    public var action: Action?

    /// Creates a policy with the default numbers.
    /// - Parameters:
    ///   - classifier: The classifier of outcomes. Defaults to the call's.
    ///   - isSuitable: Whether an input may be sent several times at once. Defaults to the rule of the
    ///     input's type (``InputDefaults/isHedgeable``).
    public init(
        classifier: OutcomeClassifier<Input> = .inherited,
        isSuitable: @escaping Suitability = Input.defaults.isHedgeable
    ) {
        self.classifier = classifier
        self.isSuitable = isSuitable
    }

    /// Throws if the numbers cannot work.
    public func validate() throws(SettingError) {
        let check = SettingCheck(of: "HedgePolicy")
        try check.within(1...RetryLimits.usualAttempts, "maxAttempts", maxAttempts)
        try delay.validate()
        try budget?.validate()
        try sharedBudget?.validate()
    }
}

extension HedgePolicy {
    /// The policy of the input's type, with the default numbers; see ``Interceptable/defaults``.
    public static var standard: HedgePolicy { HedgePolicy() }
}
