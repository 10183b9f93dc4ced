/// The rules of a type of input, for interceptors and policies that are not given their own.
///
/// They belong to the type, not to the place where an interceptor is made. So generic code, which knows only
/// that its input is ``Interceptable``, gets the rules of the input that it is used with:
///
/// ```swift
/// func retried<I: Interceptable>(_ transport: some Transport<I>) throws -> Pipeline<I> {
///     try Pipeline(transport: transport) { RetryInterceptor<I>() }
/// }
/// ```
public struct InputDefaults<Input: Interceptable>: Sendable {
    /// The classifier of outcomes, which is `OutcomeClassifier.standard`.
    public var classifier: OutcomeClassifier<Input>

    /// The classifier of a server's health, which is `OutcomeClassifier.health`.
    public var health: OutcomeClassifier<Input>

    /// Whether sending an input again is safe after an outcome.
    public var isRepeatable:
        @Sendable (_ input: Input, _ call: Call, _ classification: Classification) -> Bool

    /// Whether an input may be sent several times at once.
    public var isHedgeable: @Sendable (_ input: Input, _ call: Call) -> Bool

    /// Reads the server's rate hint from an output; returns `nil` if there is none.
    public var rateHint: @Sendable (_ output: Input.Output, _ call: Call) -> RateHint?

    /// Creates the rules for any input, or with some of your own.
    /// - Parameters:
    ///   - classifier: The classifier of outcomes. Defaults to one by which every output is a success, and
    ///     every error transient except a cancellation and a ``ClassifiedError``, which states its own
    ///     classification.
    ///   - health: The classifier of a server's health. Defaults to `classifier`.
    ///   - isRepeatable: Whether sending an input again is safe. Defaults to always, unless the call says
    ///     otherwise (``Call/isIdempotent``) and the input may have arrived.
    ///   - isHedgeable: Whether an input may be sent several times at once. Defaults to inputs of calls
    ///     marked as idempotent (``Call/isIdempotent``).
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
