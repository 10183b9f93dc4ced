/// Limits the number of calls in flight; further calls wait in a queue or are rejected.
///
/// Put it **outside** the retry: a call then has one permit for all its attempts and waits only once. A heavy call takes
/// several (``Call/permits``).
///
/// A call holds its permit until it has its output, for a response until its head; a body that is still arriving holds
/// no permit. Otherwise a response whose body is never read would delay unrelated calls, and would deadlock a caller
/// that makes its next call before reading. The transport's connections limit how many bodies arrive at once.
///
/// A call waits no longer than its deadline. A cancelled call leaves the queue at once.
public struct ConcurrencyLimitInterceptor<Input: Interceptable>: Interceptor {
    /// The limiter that counts the calls.
    public let limiter: ConcurrencyLimiter

    /// Creates an interceptor.
    /// - Parameter limiter: Counts the calls; can be shared. Defaults to a new one: a safety net of 1,000 calls without
    ///   a queue.
    public init(_ limiter: ConcurrencyLimiter = ConcurrencyLimiter()) { self.limiter = limiter }

    /// Creates an interceptor with its own limiter.
    /// - Parameter policy: The limits.
    public init(policy: ConcurrencyLimitPolicy) {
        self.init(ConcurrencyLimiter(policy: policy))
    }

    public var placement: Placement? { .concurrencyLimit }

    public func validate() throws { if let problem = limiter.problem { throw problem } }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<Input>
    ) async throws -> Input.Output {
        if let problem = limiter.problem { throw problem }
        let semaphore = limiter.semaphore(Input.authority(of: chain.frame.input))
        // The frame's own call suffices, because observation changes no value of a call.
        let permits = chain.frame.call.permits
        if !semaphore.enterAtOnce(permits) {
            try await semaphore.enter(
                chain.call,
                maxWait: limiter.policy.maxWait
            )
        }
        defer { semaphore.leave(permits) }
        return try await chain.proceed()
    }
}
