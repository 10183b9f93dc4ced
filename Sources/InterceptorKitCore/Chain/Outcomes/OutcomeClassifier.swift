/// A rule that classifies outcomes, shared by all interceptors that use it.
///
/// A client has one classifier, which its interceptors use (`inherited`) unless they are given their own. A classifier
/// sees the input as well as the outcome. An error filter, not a classifier, decides which error the caller gets.
public struct OutcomeClassifier<Input: Interceptable>: Sendable {
    private let judge: @Sendable (Outcome<Input>) async -> Classification
    private let recognise: (@Sendable (Input.Output) -> Bool)?
    /// Whether this classifier stands for the classifier of the call; see `inherited`.
    public let isInherited: Bool
    // Stored, because each use of a generic type's name looks the type up.
    private let key = ObjectIdentifier(Self.self)

    /// Creates a classifier.
    /// - Parameters:
    ///   - recognise: Recognises obvious successes, which saves a full classification. Called first. Defaults to none.
    ///   - judge: Classifies an outcome. It may read the beginning of a response's body, which stays readable.
    public init(
        recognising recognise: (@Sendable (Input.Output) -> Bool)? = nil,
        _ judge: @escaping @Sendable (Outcome<Input>) async -> Classification
    ) {
        self.recognise = recognise
        self.judge = judge
        isInherited = false
    }

    private init(inheritedOr fallback: OutcomeClassifier) {
        recognise = fallback.recognise
        isInherited = true
        judge = { outcome in
            guard let own = outcome.call[Self.self] else { return await fallback.classify(outcome) }
            // Without the value, so that a classifier based on the inherited one does not call itself.
            return await own.classify(outcome.of(outcome.call.withValue(nil, for: Self.self)))
        }
    }

    /// Returns a classifier that stands for the classifier of the call, which a client gives to each of its calls.
    /// - Parameter fallback: The classifier for a call that has none.
    public static func inherited(or fallback: OutcomeClassifier) -> OutcomeClassifier {
        OutcomeClassifier(inheritedOr: fallback)
    }

    /// Returns whether an output is an obvious success. If it is not, use ``classify(_:)``.
    /// - Parameters:
    ///   - output: The output of an attempt.
    ///   - call: The call that the attempt belongs to.
    public func recognises(_ output: Input.Output, of call: Call) -> Bool {
        if isInherited, call.values.contains(key), let own = call[Self.self] {
            return !own.isInherited && own.recognise?(output) ?? false
        }
        return recognise?(output) ?? false
    }

    /// Returns `other` in place of an inherited classifier, else this classifier.
    func inheriting(_ other: OutcomeClassifier) -> OutcomeClassifier { isInherited ? other : self }

    /// Classifies an outcome.
    public nonisolated(nonsending) func classify(
        _ outcome: Outcome<Input>
    ) async -> Classification {
        await judge(outcome)
    }

    // Separate functions, because a generic function reserves its full frame on entry, and nearly every output is
    // recognised without them.

    nonisolated(nonsending) func classify(
        _ output: Input.Output,
        of chain: InterceptorChain<Input>
    ) async -> Classification {
        await classify(
            Outcome(input: chain.input, result: .success(output), call: chain.call)
        )
    }

    /// Classifies an error that came back through a chain. Returns `nil` if the task is cancelled, because the stages
    /// below can report a cancellation as any failure.
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

/// The key of a call's classifier, for which `inherited` stands in that call.
extension OutcomeClassifier: CallKey {
    public static var defaultValue: OutcomeClassifier? { nil }
}

extension OutcomeClassifier {
    /// The classifier of the call, or the standard one if it has none; the default of interceptors and policies.
    public static var inherited: OutcomeClassifier { inherited(or: .standard) }

    /// The standard classifier of the input's type; see ``Interceptable/defaults``.
    public static var standard: OutcomeClassifier { Input.defaults.classifier }

    /// The classifier of a server's health for the input's type; see ``Interceptable/defaults``.
    public static var health: OutcomeClassifier { Input.defaults.health }

    /// The classifier by error alone: every output is a success, and every error is transient except a cancellation
    /// and a ``ClassifiedError``, which states its own classification.
    public static var byError: OutcomeClassifier {
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
