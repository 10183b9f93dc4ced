/// Lets calls to an authority begin no faster than allowed, and as the other side says.
///
/// A call waits for its turn, first come first served, if the turn comes before its deadline; otherwise it is
/// turned away at once with a ``LimitError`` that says how long the wait would be. Put it **inside** the retry,
/// so that each attempt counts, and outside the attempt's time limit, so that waiting does not.
///
/// Cancelled, a call leaves the line at once, and those behind it move up.
public struct RateLimitInterceptor<Input: Interceptable>: Interceptor {
    /// Reads from an outcome what the other side says about how much it may be asked; `nil` if nothing.
    public typealias Advice = @Sendable (_ outcome: Outcome<Input>) -> RateAdvice?

    /// What spaces the calls out.
    public let limiter: RateLimiter

    private let advice: Advice
    private let authority = AuthorityReader<Input>()

    /// Creates an interceptor.
    /// - Parameters:
    ///   - limiter: Spaces the calls out, and can be shared.
    ///   - advice: Reads what the other side says. Defaults to the wait of an error that says it was
    ///     throttled (``ClassifiedError``).
    public init(_ limiter: RateLimiter, advice: @escaping Advice = { $0.errorAdvice }) {
        self.limiter = limiter
        self.advice = advice
    }

    /// Creates an interceptor with a limiter of its own.
    /// - Parameter policy: How many calls may begin.
    public init(policy: RateLimitPolicy) { self.init(RateLimiter(policy: policy)) }

    public var placement: Placement? { .rateLimit }

    public func validate() throws { if let problem = limiter.problem { throw problem } }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<Input>
    ) async throws -> Input.Output {
        if let problem = limiter.problem { throw problem }
        let gate = limiter.gate(authority(chain.input))
        try await gate.enter(chain.call)
        do {
            let output = try await chain.proceed()
            learn(.success(output), gate, chain)
            return output
        } catch {
            learn(.failure(error), gate, chain)
            throw error
        }
    }

    private func learn(
        _ result: Result<Input.Output, any Error>,
        _ gate: RateGate,
        _ chain: InterceptorChain<Input>
    ) {
        let outcome = Outcome(input: chain.input, result: result, call: chain.call)
        guard let advice = advice(outcome) else { return }
        gate.follow(advice, chain.call)
        chain.call.emit(.rateLearned, from: "RateLimitInterceptor", advice.attributes)
    }
}

extension Outcome {
    /// The wait of an error that says it was throttled.
    public var errorAdvice: RateAdvice? {
        guard case .failure(let error as any ClassifiedError) = result,
            error.classification.kind == .throttled, let wait = error.classification.retryAfter
        else { return nil }
        return .pause(wait)
    }
}

extension RateAdvice {
    fileprivate var attributes: [String: Event.Value] {
        switch self {
        case .pause(let duration):
            ["pause": .duration(duration)]
        case .quota(let remaining, let duration):
            ["remaining": .number(remaining), "resets_in": .duration(duration)]
        }
    }
}
