/// Returns a fallback in place of a failure, such as a stored or reduced response.
///
/// ```swift
/// FallbackInterceptor { outcome, _ in
///     guard let text = await store.last(for: outcome.input.url.path) else { return nil }
///     return HTTP.Response(200, body: .text(text))
/// }
/// ```
///
/// It belongs outermost, above retries and time limits. By default it handles transient failures, throttling,
/// rejections by a breaker or limit, and time limits, but not the caller's own mistakes. It never handles a
/// cancellation. The output records that it is a fallback (``FallbackReporting``), and the failed output is released.
///
/// If the closure returns `nil` or throws, the failure stays unchanged, so a fallback never makes a call worse. No time
/// limit covers the closure, so it should use only local data.
public struct FallbackInterceptor<Input: Interceptable>: Interceptor {
    /// A closure that makes the fallback, or returns `nil` to leave the failure unchanged.
    public typealias Answer =
        @Sendable (
            _ outcome: Outcome<Input>, _ classification: Classification
        ) async throws -> Input.Output?

    /// A closure that decides which outcomes get a fallback.
    public typealias Condition =
        @Sendable (_ outcome: Outcome<Input>, _ classification: Classification) -> Bool

    private let classifier: OutcomeClassifier<Input>
    private let condition: Condition
    private let answer: Answer

    /// Creates an interceptor.
    /// - Parameters:
    ///   - classifier: The classifier of outcomes. Defaults to the call's.
    ///   - condition: Decides which outcomes get a fallback. Defaults to ``isUnavailable(_:_:)``.
    ///   - answer: Makes the fallback.
    public init(
        classifier: OutcomeClassifier<Input> = .inherited,
        when condition: @escaping Condition = isUnavailable,
        answer: @escaping Answer
    ) {
        self.classifier = classifier
        self.condition = condition
        self.answer = answer
    }

    public var placement: Placement? { .fallback }

    /// Returns whether a failure may be temporary: a transient failure, throttling, a local rejection or a timeout.
    public static func isUnavailable(
        _ outcome: Outcome<Input>,
        _ classification: Classification
    ) -> Bool {
        if case .failure(is TimeoutError) = outcome.result { return true }
        return [.transient, .throttled, .rejected].contains(classification.kind)
    }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<Input>
    ) async throws -> Input.Output {
        let started = chain.call.runtime.now
        let result: Result<Input.Output, any Error>
        do {
            let output = try await chain.proceed()
            if classifier.recognises(output, of: chain.call) { return output }
            result = .success(output)
        } catch {
            if error is CancellationError { throw error }
            result = .failure(error)
        }
        let outcome = Outcome(
            input: chain.input,
            result: result,
            call: chain.call,
            elapsed: started.duration(to: chain.call.runtime.now)
        )
        let classification = await classifier.classify(outcome)
        guard condition(outcome, classification), !Task.isCancelled else { return try result.get() }
        guard let substitute = try await substitute(for: outcome, classification, chain.call) else {
            return try result.get()
        }
        await result.discard(on: chain.call.runtime)
        return substitute
    }

    private nonisolated(nonsending) func substitute(
        for outcome: Outcome<Input>,
        _ classification: Classification,
        _ call: Call
    ) async throws -> Input.Output? {
        let reason = Event.Value.text(classification.reason)
        do {
            guard let substitute = try await answer(outcome, classification) else { return nil }
            call.emit(.fallbackUsed, ["reason": reason])
            guard var marked = substitute as? any FallbackReporting else { return substitute }
            marked.fallbackReason = classification.reason
            return marked as? Input.Output ?? substitute
        } catch {
            if Task.isCancelled { throw CancellationError() }
            call.emit(
                .fallbackFailed,
                ["reason": reason, "error.type": .text(Redaction.typeName(of: error))]
            )
            return nil
        }
    }
}

extension Event.Name {
    /// A fallback was returned in place of a failure: `reason`.
    public static let fallbackUsed: Self = "fallback.used"
    /// The closure of a fallback threw an error: `reason`, `error.type`.
    public static let fallbackFailed: Self = "fallback.failed"
}
