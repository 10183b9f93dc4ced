/// Rejects calls while too many calls to the same authority fail, and sends probes to find out when the
/// authority has recovered.
///
/// Put it **inside** the retry, so that each attempt counts. A rejected call throws a ``CircuitBreakerError`` and sends
/// nothing. It is worth another attempt only if the break ends in time.
///
/// The outcome of a call counts: for a response its head, whatever happens to the body. A response that is not a
/// failure of the server, such as HTTP's 404, counts as a success. Cancelled calls, calls rejected further in, and
/// errors that say nothing about the server's health do not count; see `OutcomeClassifier.health`.
public struct CircuitBreakerInterceptor<Input: Interceptable>: Interceptor {
    /// The circuit breaker.
    public let breaker: CircuitBreaker

    private let classifier: OutcomeClassifier<Input>

    /// Creates an interceptor.
    /// - Parameters:
    ///   - breaker: The circuit breaker, which can be shared. Defaults to a new one with the default numbers.
    ///   - classifier: Classifies calls. `transient` counts as a failure and `success` as a success; `rejected` does
    ///     not count. Any other kind counts as a success for a response, and does not count for an error. Defaults to
    ///     `OutcomeClassifier.health`.
    public init(
        _ breaker: CircuitBreaker = CircuitBreaker(),
        classifier: OutcomeClassifier<Input> = .health
    ) {
        self.breaker = breaker
        self.classifier = classifier
    }

    public var placement: Placement? { .circuitBreaker }

    public var keepsDeadline: Bool { true }

    public func validate() throws { if let problem = breaker.problem { throw problem } }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<Input>
    ) async throws -> Input.Output {
        if let problem = breaker.problem { throw problem }
        let call = chain.call
        guard let admitted = try breaker.enter(chain.authority, call) else {
            return try await chain.proceed()
        }
        let output: Input.Output
        do {
            output = try await chain.proceed()
        } catch {
            // `nil` also for a classifier that takes longer than the call may.
            let classification = try? await call.keepingDeadline { [classifier] _ in
                await classifier.classify(error, of: chain)
            }
            let health = classification.flatMap { $0 }
                .map { self.health($0, ofError: true, admitted, call) }
            breaker.leave(admitted, health ?? .unknown, call)
            throw error
        }
        if classifier.recognises(output, of: chain.call) {
            breaker.leave(admitted, success(admitted, call), call)
        } else {
            let classification = try? await call.keepingDeadline { [classifier, output] _ in
                await classifier.classify(output, of: chain)
            }
            let health = classification.map { self.health($0, ofError: false, admitted, call) }
            breaker.leave(admitted, health ?? .unknown, call)
        }
        return consume output
    }

    private func health(
        _ classification: Classification,
        ofError isError: Bool,
        _ admitted: AdmittedCall,
        _ call: Call
    ) -> Circuit.Health {
        switch classification.kind {
        case .transient:
            .bad(reason: classification.reason, retryAfter: classification.retryAfter)
        case .rejected:
            .unknown
        // The server responded, whatever the status.
        default:
            isError && classification.kind != .success ? .unknown : success(admitted, call)
        }
    }

    private func success(_ admitted: AdmittedCall, _ call: Call) -> Circuit.Health {
        guard let began = admitted.began, let limit = breaker.policy.slowCallDuration else {
            return .good
        }
        return began.duration(to: call.runtime.now) >= limit ? .slow : .good
    }
}
