/// Says what an outcome means, once, for every interceptor that must act on it.
///
/// Retry, token and breaker judge an outcome where they stand, inside the chain; what the caller is
/// told is named outside, by an error filter. A classifier is the shared judgement: a value that sees
/// the input as well as the outcome.
public struct OutcomeClassifier<Input: Interceptable>: Sendable {
    private let judge: @Sendable (Outcome<Input>) async -> Classification
    private let recognise: (@Sendable (Input.Output) -> Bool)?

    /// Creates a classifier.
    /// - Parameters:
    ///   - recognise: Tells outputs that are a ``Classification/success`` at first sight, so that
    ///     nothing is put together for them. Asked first. Defaults to none.
    ///   - judge: Says what an outcome means. It may look at the beginning of a response's body, which
    ///     stays readable.
    public init(
        recognising recognise: (@Sendable (Input.Output) -> Bool)? = nil,
        _ judge: @escaping @Sendable (Outcome<Input>) async -> Classification
    ) {
        self.recognise = recognise
        self.judge = judge
    }

    /// Whether an output is a success at first sight; if not, ``classify(_:)`` says what it is.
    public func recognises(_ output: Input.Output) -> Bool { recognise?(output) ?? false }

    /// Says what an outcome means.
    public nonisolated(nonsending) func classify(
        _ outcome: Outcome<Input>
    ) async -> Classification {
        await judge(outcome)
    }

    /// Returns a classifier that asks `other` first and this one when `other` has no answer.
    /// - Parameter other: Says what an outcome means, or `nil` if it does not know.
    public func preceded(
        by other: @escaping @Sendable (Outcome<Input>) async -> Classification?
    ) -> OutcomeClassifier {
        OutcomeClassifier { outcome in
            if let classification = await other(outcome) { return classification }
            return await classify(outcome)
        }
    }
}

extension OutcomeClassifier {
    /// Judges by error alone: any output is a success, any error but cancellation is worth another
    /// try, unless it says something else (``ClassifiedError``).
    public static var standard: OutcomeClassifier {
        OutcomeClassifier(recognising: { _ in true }) { outcome in
            switch outcome.result {
            case .success: .success
            case .failure(let error) where error is CancellationError: .permanent("cancelled")
            case .failure(let error as any ClassifiedError): error.classification
            case .failure(let error): .transient("\(typeName(of: error))")
            }
        }
    }
}
