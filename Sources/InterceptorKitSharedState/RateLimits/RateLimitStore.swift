/// A store of rate limits, shared by the replicas of a service.
///
/// A custom store must keep these promises, which `StoreConformance` of `InterceptorKitConformance` tests.
///
/// - **A decision is one atomic step.** Even under concurrency, a key gives no more permits in a time than its quota:
///   the burst, and one for each ``RateLimitQuota/interval``.
/// - **The store's clock decides**, never a caller's.
/// - **A rejection takes nothing.** An admission with a wait has taken its permits, whether or not the caller waits.
/// - **An operation that throws may have been carried out.** A repetition may take twice, but never admits more.
/// - **Keys are independent**, and callers with the same key state the same quota.
public protocol RateLimitStore: Sendable {
    /// Takes permits, now or at a later time within the longest wait.
    /// - Parameters:
    ///   - permits: The permits to take, at least 1 and at most the quota's burst.
    ///   - quota: The quota of the key.
    ///   - key: The identity that the limit applies to, such as a user's id; of any length.
    ///   - wait: The longest wait for the permits, up to ``RateLimitQuota/longestWait``. Zero requires them now.
    /// - Throws: An error if the store is unavailable; `CancellationError` promptly when the task is cancelled.
    func take(
        _ permits: Int,
        of quota: RateLimitQuota,
        for key: String,
        waitingAtMost wait: Duration
    ) async throws -> RateLimitDecision
}

/// The decision of a ``RateLimitStore``.
public enum RateLimitDecision: Sendable, Hashable {
    /// The permits are taken, and may be used after a wait. `remaining` permits are still available at once.
    case admitted(after: Duration, remaining: Int)
    /// Nothing is taken. The permits are available after `retryAfter` if nobody else takes them.
    case rejected(retryAfter: Duration)
}
