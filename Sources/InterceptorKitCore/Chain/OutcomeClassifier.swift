/// A rule that classifies outcomes, the same for every interceptor that uses it.
///
/// Give the same classifier to the retry, the token and the circuit breaker of a chain. It sees the input and
/// the outcome. An error filter outside of them decides which error the caller gets.
public struct OutcomeClassifier<Input: Interceptable>: Sendable {
    private let judge: @Sendable (Outcome<Input>) async -> Classification
    private let recognise: (@Sendable (Input.Output) -> Bool)?

    /// Creates a classifier.
    /// - Parameters:
    ///   - recognise: Recognises obvious successes, which saves the work of a full classification. Called
    ///     first. Defaults to none.
    ///   - judge: Classifies an outcome. It may read the beginning of a response's body, which stays
    ///     readable.
    public init(
        recognising recognise: (@Sendable (Input.Output) -> Bool)? = nil,
        _ judge: @escaping @Sendable (Outcome<Input>) async -> Classification
    ) {
        self.recognise = recognise
        self.judge = judge
    }

    /// Whether an output is an obvious success; if not, use ``classify(_:)``.
    public func recognises(_ output: Input.Output) -> Bool { recognise?(output) ?? false }

    /// Classifies an outcome.
    public nonisolated(nonsending) func classify(
        _ outcome: Outcome<Input>
    ) async -> Classification {
        await judge(outcome)
    }

    // Functions of their own for the two below: one that is generic makes room for all it may need when
    // it begins, and nearly every output is recognised before these are asked.

    /// Classifies an output that came back through a chain.
    nonisolated(nonsending) func classify(
        _ output: Input.Output,
        of chain: InterceptorChain<Input>
    ) async -> Classification {
        await classify(
            Outcome(input: chain.input, result: .success(output), call: chain.call)
        )
    }

    /// Classifies an error that came back through a chain; `nil` if the task is cancelled, because a
    /// cancellation can look like any failure from above.
    nonisolated(nonsending) func classify(
        _ error: any Error,
        of chain: InterceptorChain<Input>
    ) async -> Classification? {
        if Task.isCancelled { return nil }
        return await classify(
            Outcome(input: chain.input, result: .failure(error), call: chain.call)
        )
    }

    /// Returns a classifier that uses `other` first, and this one where `other` returns `nil`.
    /// - Parameter other: Classifies an outcome, or returns `nil` to leave it to this classifier.
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
    /// The classifier for any input: every output is a success, and every error is transient except a
    /// cancellation and a ``ClassifiedError``, which states its own classification.
    public static var standard: OutcomeClassifier {
        OutcomeClassifier(recognising: { _ in true }) { outcome in
            switch outcome.result {
            case .success: .success
            case .failure(let error) where error is CancellationError: .permanent("cancelled")
            case .failure(let error as any ClassifiedError): error.classification
            case .failure(let error): .transient("\(Redaction.typeName(of: error))")
            }
        }
    }
}
