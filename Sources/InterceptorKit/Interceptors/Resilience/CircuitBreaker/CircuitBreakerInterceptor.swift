/// Turns calls away while too many of those to the same authority fail, and lets probes find out when that
/// is over.
///
/// Put it **inside** the retry, so that each attempt counts. What it turns away throws a
/// ``CircuitBreakerError``, sends nothing, and is worth another try only where the break ends in time.
///
/// What counts is how a call was answered: for a response its head, whatever becomes of the body. Cancelled
/// calls and those turned away further in do not count, nor do outcomes that say nothing about the other
/// side's health; see `OutcomeClassifier.health`.
public struct CircuitBreakerInterceptor<Input: Interceptable>: Interceptor {
    /// The breaker that decides.
    public let breaker: CircuitBreaker

    private let classifier: OutcomeClassifier<Input>
    private let authority = AuthorityReader<Input>()

    /// Creates an interceptor.
    /// - Parameters:
    ///   - breaker: Decides, and can be shared. Defaults to one of its own with the default numbers.
    ///   - classifier: Says how a call went: `transient` is a failure and `success` a success; other kinds
    ///     do not count. Defaults to `OutcomeClassifier.health`.
    public init(
        _ breaker: CircuitBreaker = CircuitBreaker(),
        classifier: OutcomeClassifier<Input> = .health
    ) {
        self.breaker = breaker
        self.classifier = classifier
    }

    public var placement: Placement? { .circuitBreaker }

    public func validate() throws { if let problem = breaker.problem { throw problem } }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<Input>
    ) async throws -> Input.Output {
        if let problem = breaker.problem { throw problem }
        let call = chain.call
        guard let passage = try breaker.enter(authority(chain.frame.input), call) else {
            return try await chain.proceed()
        }
        do {
            let output = try await chain.proceed()
            let health =
                classifier.recognises(output)
                ? success(passage, call) : await health(.success(output), passage, chain)
            breaker.leave(passage, health, call)
            return output
        } catch {
            breaker.leave(passage, await health(.failure(error), passage, chain), call)
            throw error
        }
    }

    private nonisolated(nonsending) func health(
        _ result: Result<Input.Output, any Error>,
        _ passage: CircuitPassage,
        _ chain: InterceptorChain<Input>
    ) async -> Circuit.Health {
        // A failure may be what the cancellation looks like from below.
        if case .failure = result, Task.isCancelled { return .unknown }
        let outcome = Outcome(input: chain.input, result: result, call: chain.call)
        let classification = await classifier.classify(outcome)
        switch classification.kind {
        case .success:
            return success(passage, chain.call)
        case .transient:
            return .bad(reason: classification.reason, retryAfter: classification.retryAfter)
        default:
            return .unknown
        }
    }

    private func success(_ passage: CircuitPassage, _ call: Call) -> Circuit.Health {
        guard let began = passage.began, let limit = breaker.policy.slowCallDuration else {
            return .good
        }
        return began.duration(to: call.runtime.now) >= limit ? .slow : .good
    }
}

extension CircuitBreakerInterceptor where Input == HTTP.Request {
    /// Creates an interceptor that judges by the standard for HTTP.
    /// - Parameter breaker: Decides, and can be shared. Defaults to one of its own with the default numbers.
    public init(_ breaker: CircuitBreaker = CircuitBreaker()) {
        self.init(breaker, classifier: .health)
    }
}
