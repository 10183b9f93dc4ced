/// Lets calls to an authority begin no faster than allowed, and as the other side says.
///
/// A call waits for its turn, first come first served, if the turn comes before its deadline;
/// otherwise it is turned away at once with a ``LimitError`` that says how long the wait would be.
/// Put it **inside** the retry, so that each attempt counts, and outside the attempt's time limit,
/// so that waiting does not.
///
/// Cancelled, a call leaves the line at once, and those behind it move up.
public struct RateLimitInterceptor<Input: Interceptable>: Interceptor {
    /// Reads from an output what the other side says about how much it may be asked; `nil` if nothing.
    public typealias Advice = @Sendable (_ output: Input.Output, _ call: Call) -> RateAdvice?

    /// What spaces the calls out.
    public let limiter: RateLimiter

    private let advice: Advice
    private let authority = AuthorityReader<Input>()

    /// Creates an interceptor.
    /// - Parameters:
    ///   - limiter: Spaces the calls out, and can be shared.
    ///   - advice: Reads what the other side says. Defaults to nothing. The wait of an error that says it
    ///     was throttled (``ClassifiedError``) counts in any case.
    public init(_ limiter: RateLimiter, advice: @escaping Advice = { _, _ in nil }) {
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
        let call = chain.call
        let gate = limiter.gate(authority(chain.frame.input))
        if !gate.enterAtOnce(call) { try await gate.enter(call) }
        let output: Input.Output
        do {
            output = try await chain.proceed()
        } catch {
            learn((error as? any ClassifiedError)?.classification.advice, gate, call)
            throw error
        }
        learn(advice(output, call), gate, call)
        return consume output
    }

    private func learn(_ advice: RateAdvice?, _ gate: RateGate, _ call: Call) {
        guard let advice else { return }
        gate.follow(advice, call)
        call.emit(.rateLearned, from: "RateLimitInterceptor", advice.attributes(gate.authority))
    }
}

extension Classification {
    /// The wait of what was throttled.
    fileprivate var advice: RateAdvice? {
        kind == .throttled ? retryAfter.map(RateAdvice.pause) : nil
    }
}

extension RateAdvice {
    fileprivate func attributes(_ authority: String?) -> Event.Attributes {
        var attributes: Event.Attributes =
            switch self {
            case .pause(let duration):
                ["pause": .duration(duration)]
            case .quota(let remaining, let duration):
                ["remaining": .number(remaining), "resets_in": .duration(duration)]
            }
        if let authority { attributes["authority"] = .text(authority) }
        return attributes
    }
}
