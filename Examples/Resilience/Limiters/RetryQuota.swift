import InterceptorKit

/// A bucket of tokens that retries pay from and successes fill: the retry quota of AWS's clients.
///
/// A success gives back what the retry before it cost, or a little if there was none.
final class RetryQuota: RetryLimiter {
    private let capacity: Int
    private let successIncrement: Int
    private let cost: @Sendable (Classification) -> Int
    private let tokens: PerAuthority<Tokens>

    /// Creates a quota.
    /// - Parameters:
    ///   - capacity: How many tokens there are at most, and at first. Defaults to 500 (AWS retry
    ///     behaviour 2.1, as the other numbers).
    ///   - successIncrement: What a first attempt that succeeds adds. Defaults to 1.
    ///   - authorities: How many authorities are remembered; the least recently used leaves. Defaults to
    ///     64.
    ///   - cost: What a retry after a failure costs. Defaults to 5 after throttling and 14 after anything
    ///     else; a hedge costs as much as a retry after a transient failure.
    init(
        capacity: Int = 500,
        successIncrement: Int = 1,
        authorities: Int = 64,
        cost: @escaping @Sendable (Classification) -> Int = { $0.kind == .throttled ? 5 : 14 }
    ) {
        let capacity = min(max(0, capacity), 1_000_000_000)
        self.capacity = capacity
        self.successIncrement = min(max(0, successIncrement), capacity)
        self.cost = { min(max(0, cost($0)), 1_000_000_000) }
        tokens = PerAuthority(limit: authorities) { _ in Tokens(capacity) }
    }

    /// How many tokens are left.
    func tokens(of authority: String?) -> Int { tokens[authority].count }

    func recordFirstAttempt(to authority: String?, at instant: Runtime.Instant) {}

    func allowsResend(
        to authority: String?,
        at instant: Runtime.Instant,
        after failure: Classification?
    ) -> Bool {
        tokens[authority].take(cost(failure ?? .transient("hedge")))
    }

    func recordSuccess(to authority: String?, after failure: Classification?) {
        let gain = failure.map(cost) ?? successIncrement
        tokens[authority].change { min(capacity, $0 + gain) }
    }
}
