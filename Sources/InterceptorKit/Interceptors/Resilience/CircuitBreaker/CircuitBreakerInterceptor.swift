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
        let output: Input.Output
        do {
            output = try await chain.proceed()
        } catch {
            let classification = await classifier.classify(error, of: chain)
            let health = classification.map { self.health($0, passage, call) }
            breaker.leave(passage, health ?? .unknown, call)
            throw error
        }
        if classifier.recognises(output) {
            breaker.leave(passage, success(passage, call), call)
        } else {
            let classification = await classifier.classify(output, of: chain)
            breaker.leave(passage, health(classification, passage, call), call)
        }
        return consume output
    }

    private func health(
        _ classification: Classification,
        _ passage: CircuitPassage,
        _ call: Call
    ) -> Circuit.Health {
        switch classification.kind {
        case .success:
            success(passage, call)
        case .transient:
            .bad(reason: classification.reason, retryAfter: classification.retryAfter)
        default:
            .unknown
        }
    }

    private func success(_ passage: CircuitPassage, _ call: Call) -> Circuit.Health {
        guard let began = passage.began, let limit = breaker.policy.slowCallDuration else {
            return .good
        }
        return began.duration(to: call.runtime.now) >= limit ? .slow : .good
    }
}
