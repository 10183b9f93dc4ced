/// The rules of a type of input, for interceptors and policies without their own rules.
///
/// The rules belong to the type, not to the place where an interceptor is made. Generic code that knows only that its
/// input is ``Interceptable`` therefore uses the rules of the actual input:
///
/// ```swift
/// func retried<I: Interceptable>(_ transport: some Transport<I>) throws -> Pipeline<I> {
///     try Pipeline(transport: transport) { RetryInterceptor<I>() }
/// }
/// ```
public struct InputDefaults<Input: Interceptable>: Sendable {
    /// The classifier of outcomes, which `OutcomeClassifier.standard` returns.
    public var classifier: OutcomeClassifier<Input>

    /// The classifier of a server's health, which `OutcomeClassifier.health` returns.
    public var health: OutcomeClassifier<Input>

    /// Whether it is safe to send an input again after an outcome.
    public var isRepeatable:
        @Sendable (_ input: Input, _ call: Call, _ classification: Classification) -> Bool

    /// Whether an input may be sent several times at once.
    public var isHedgeable: @Sendable (_ input: Input, _ call: Call) -> Bool

    /// Reads the server's rate hint from an output; returns `nil` if there is none.
    public var rateHint: @Sendable (_ output: Input.Output, _ call: Call) -> RateHint?

    /// Creates the rules for any input, with changes of your own.
    /// - Parameters:
    ///   - classifier: The classifier of outcomes. Defaults to ``OutcomeClassifier/byError``, by which every output is
    ///     a success, and every error transient except a cancellation and a ``ClassifiedError`` (which classifies
    ///     itself).
    ///   - health: The classifier of a server's health. Defaults to `classifier`.
    ///   - isRepeatable: Whether it is safe to send an input again. Defaults to `true`, except for an input that may
    ///     have arrived and whose call is marked as not idempotent (``Call/isIdempotent``).
    ///   - isHedgeable: Whether an input may be sent several times at once. Defaults to `true` only for calls marked as
    ///     idempotent (``Call/isIdempotent``).
    ///   - rateHint: Reads the server's rate hint from an output. Defaults to none.
    public init(
        classifier: OutcomeClassifier<Input> = .byError,
        health: OutcomeClassifier<Input>? = nil,
        isRepeatable:
            @escaping @Sendable (
                _ input: Input, _ call: Call, _ classification: Classification
            ) -> Bool = { _, call, classification in
                call.isIdempotent ?? true || classification.isUnsent
            },
        isHedgeable: @escaping @Sendable (_ input: Input, _ call: Call) -> Bool = { _, call in
            call.isIdempotent ?? false
        },
        rateHint: (@Sendable (_ output: Input.Output, _ call: Call) -> RateHint?)? = nil
    ) {
        self.classifier = classifier
        self.health = health ?? classifier
        self.isRepeatable = isRepeatable
        self.isHedgeable = isHedgeable
        self.rateHint = rateHint ?? { _, _ in nil }
    }
}
