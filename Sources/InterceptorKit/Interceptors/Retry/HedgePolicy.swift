/// When and how often a slow attempt gets another beside it.
public struct HedgePolicy<Input: Interceptable>: Sendable {
    /// Says whether an input may be sent several times at once.
    public typealias Suitability = @Sendable (_ input: Input, _ call: Call) -> Bool

    /// The largest number of sends, the first included. Defaults to 2.
    public var maxAttempts = 2

    /// How long an attempt may take before the next is sent. Defaults to the 95th percentile.
    public var delay: HedgeDelay = .percentile()

    /// Bounds hedges alone; `nil` bounds nothing. Defaults to 5 % of the first attempts, without a floor
    /// (Finagle).
    public var budget: (any RetryAllowance)? = RetryBudget(ratio: 0.05, floorPerSecond: 0)

    /// Bounds hedges together with whatever else has the same budget, as a ``RetryPolicy/budget``; `nil`
    /// bounds nothing. Defaults to a ``RetryBudget`` of its own.
    public var sharedBudget: (any RetryAllowance)? = RetryBudget()

    /// Says what an outcome means.
    public var classifier: OutcomeClassifier<Input>

    /// Whether an input may be sent several times at once. An input that is not
    /// ``Replayable/isReplayable`` never is, whatever this says.
    public var isSuitable: Suitability

    /// Creates a policy with the default numbers.
    /// - Parameters:
    ///   - classifier: Says what an outcome means.
    ///   - isSuitable: Whether an input may be sent several times at once. Defaults to those whose call
    ///     says so (``Call/isIdempotent``).
    public init(
        classifier: OutcomeClassifier<Input>,
        isSuitable: @escaping Suitability = { _, call in call.isIdempotent ?? false }
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
    /// Hedges inputs whose calls say that sending them twice means the same as once.
    public static var standard: HedgePolicy { HedgePolicy(classifier: .standard) }
}
