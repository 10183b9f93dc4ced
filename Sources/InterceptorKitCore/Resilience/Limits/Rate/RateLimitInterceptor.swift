/// Limits the rate at which calls to an authority begin, and follows the server's rate hints.
///
/// A call waits for its turn, in order, if the turn comes before its deadline; otherwise it is rejected at once with a
/// ``LimitError`` that states the length of the wait. Put it **inside** the retry, so that each attempt counts, and
/// outside the attempt's time limit, so that waits do not count.
///
/// A hint applies to the calls that count against the same limit of the server: those with the same
/// ``Call/limitPartition``, and calls without one if ``RateLimitPolicy/isOnePartition`` is set. Otherwise it applies
/// only to the call that received it, which waits in its retry.
///
/// A cancelled call leaves the queue at once.
public struct RateLimitInterceptor<Input: Interceptable>: Interceptor {
    /// A closure that reads the server's hint from an output, or returns `nil` if there is none.
    public typealias Hint = @Sendable (_ output: Input.Output, _ call: Call) -> RateHint?

    /// The limiter that spaces the calls.
    public let limiter: RateLimiter

    private let hint: Hint

    /// Creates an interceptor.
    /// - Parameters:
    ///   - limiter: Spaces the calls; can be shared. Defaults to a new one, which only follows the servers' hints.
    ///   - hint: Reads the server's hint. Defaults to the rule of the input's type (``InputDefaults/rateHint``). The
    ///     wait of a throttled ``ClassifiedError`` counts in any case.
    public init(
        _ limiter: RateLimiter = RateLimiter(),
        hint: @escaping Hint = Input.defaults.rateHint
    ) {
        self.limiter = limiter
        self.hint = hint
    }

    /// Creates an interceptor with its own limiter.
    /// - Parameter policy: The rate limit.
    public init(policy: RateLimitPolicy) { self.init(RateLimiter(policy: policy)) }

    public var placement: Placement? { .rateLimit }

    public func validate() throws { if let problem = limiter.problem { throw problem } }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<Input>
    ) async throws -> Input.Output {
        if let problem = limiter.problem { throw problem }
        let call = chain.call
        let queue = limiter.queue(chain.limitKey)
        if !queue.enterAtOnce(call) { try await queue.enter(call) }
        let output: Input.Output
        do {
            output = try await chain.proceed()
        } catch {
            learn((error as? any ClassifiedError)?.classification.hint, queue, call)
            throw error
        }
        learn(hint(output, call), queue, call)
        return consume output
    }

    private func learn(_ hint: RateHint?, _ queue: RateLimiterQueue, _ call: Call) {
        guard let hint, limiter.sharesHints(in: call.limitPartition) else { return }
        queue.follow(hint, call)
        call.emit(.rateLearned, hint.attributes(queue.authority))
    }
}

extension Classification {
    /// The rate hint of a throttled outcome.
    fileprivate var hint: RateHint? {
        kind == .throttled ? retryAfter.map(RateHint.pause) : nil
    }
}

extension RateHint {
    fileprivate func attributes(_ authority: String?) -> Event.Attributes {
        var attributes: Event.Attributes =
            switch self {
            case .pause(let duration):
                ["pause": .duration(duration)]
            case .quota(let remaining, let duration):
                ["remaining": .number(remaining), "resets_in": .duration(duration)]
            }
        attributes.authority = authority
        return attributes
    }
}
