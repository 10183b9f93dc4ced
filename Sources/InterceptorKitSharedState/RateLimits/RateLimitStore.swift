/// A store of rate limits, shared by the replicas of a service.
///
/// A store of your own must keep these promises; `StoreConformance` of `InterceptorKitConformance` tries
/// them.
///
/// - **A decision is one atomic step.** Whatever happens at once, a key gives no more permits in a time than its
///   quota: the burst, and one for each ``RateLimitQuota/interval``.
/// - **The store's clock decides**, never a caller's.
/// - **A rejection takes nothing.** An admission with a wait has taken its permits, whether or not the caller waits.
/// - **An operation that throws may have been carried out.** Asking again may take twice, and never admits more.
/// - **Keys are independent**, and callers with one key state the same quota.
public protocol RateLimitStore: Sendable {
    /// Takes permits, now or at a later time within the longest wait.
    /// - Parameters:
    ///   - permits: The permits to take, at least 1 and at most the quota's burst.
    ///   - quota: The quota of the key.
    ///   - key: Whom the limit counts for, such as a user's id; of any length.
    ///   - wait: The longest wait for the permits, up to ``RateLimitQuota/longestWait``. With zero, they must be
    ///     there now.
    /// - Throws: An error if the store cannot be asked, `CancellationError` promptly when the task is cancelled.
    func take(
        _ permits: Int,
        of quota: RateLimitQuota,
        for key: String,
        waitingAtMost wait: Duration
    ) async throws -> RateLimitDecision
}

/// The decision of a ``RateLimitStore``.
public enum RateLimitDecision: Sendable, Hashable {
    /// The permits are taken, and may be used after a wait. `remaining` are the permits left at once.
    case admitted(after: Duration, remaining: Int)
    /// Nothing is taken; the permits are there after `retryAfter` if nobody else takes them.
    case rejected(retryAfter: Duration)
}
