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

    // Functions of their own for the two below: one that is generic makes room for all it may need when
    // it begins, and nearly every output is recognised before these are asked.

    /// Says what an output means that came back through a chain.
    nonisolated(nonsending) func classify(
        _ output: Input.Output,
        of chain: InterceptorChain<Input>
    ) async -> Classification {
        await classify(
            Outcome(input: chain.input, result: .success(output), call: chain.call)
        )
    }

    /// Says what an error means that came back through a chain; `nil` if the task is cancelled, since any
    /// failure may be what that looks like from above.
    nonisolated(nonsending) func classify(
        _ error: any Error,
        of chain: InterceptorChain<Input>
    ) async -> Classification? {
        if Task.isCancelled { return nil }
        return await classify(
            Outcome(input: chain.input, result: .failure(error), call: chain.call)
        )
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
    /// Judges by error alone: any output is a success; any error but cancellation is worth another
    /// try, unless it knows better (``ClassifiedError``) or is a TLS failure or a closed transport.
    public static var standard: OutcomeClassifier {
        OutcomeClassifier(recognising: { _ in true }) { outcome in
            switch outcome.result {
            case .success: .success
            case .failure(let error) where error is CancellationError: .permanent("cancelled")
            case .failure(let error as any ClassifiedError): error.classification
            case .failure(let error as TransportError): Classification(error)
            case .failure(let error): .transient("\(typeName(of: error))")
            }
        }
    }
}

extension Classification {
    /// What a failure on the way means: TLS and a closed transport are permanent, anything else may be
    /// over at the next try.
    init(_ error: TransportError) {
        let kind: Kind =
            switch error.code {
            case .tls, .closed: .permanent
            default: .transient
            }
        self.init(
            kind,
            reason: error.code.description,
            isUnsent: error.isCertainlyUnsent,
            // Not where no connection could be made: that would fail again at once.
            isHandedBack: error.code == .connectionLost || error.code == .protocolViolation
        )
    }
}
