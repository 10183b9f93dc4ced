/// How long to wait before the next attempt, from the number of those that failed.
///
/// The upper end of the wait doubles with each attempt, from `base` to `cap`; jitter decides where
/// below it the wait falls, so that clients that failed together do not come back together.
public struct Backoff: Sendable, Hashable {
    /// Where below the upper end a wait falls.
    public enum Jitter: Sendable, Hashable {
        /// Anywhere from zero up to it: spreads best (AWS Architecture Blog, Brooker 2015).
        case full
        /// In its upper half.
        case equal
        /// Exactly at it: for tests and for a single client.
        case none
    }

    /// The upper end after the first failure.
    public var base: Duration
    /// The largest upper end.
    public var cap: Duration
    /// Where below the upper end a wait falls.
    public var jitter: Jitter

    /// Creates a rule.
    /// - Parameters:
    ///   - base: The upper end after the first failure. Defaults to 50 ms (AWS retry behaviour 2.1).
    ///   - cap: The largest upper end. Defaults to 20 s (the same source).
    ///   - jitter: Where below the upper end a wait falls. Defaults to full jitter.
    public init(
        base: Duration = .milliseconds(50),
        cap: Duration = .seconds(20),
        jitter: Jitter = .full
    ) {
        self.base = base
        self.cap = cap
        self.jitter = jitter
    }

    /// The wait after the `failures`th failure, never negative and never above ``cap``.
    /// - Parameters:
    ///   - failures: How many attempts have failed, from 1.
    ///   - fraction: A random number from 0 up to 1.
    public func delay(after failures: Int, fraction: Double) -> Duration {
        let upper = ceiling(after: failures)
        return switch jitter {
        case .full: upper * fraction
        case .equal: upper * (0.5 + fraction / 2)
        case .none: upper
        }
    }

    private func ceiling(after failures: Int) -> Duration {
        var upper = min(base, cap)
        var doublings = max(failures, 1) - 1
        // Ends at the cap, so that no number of failures can overflow; a base of zero never gets there.
        while doublings > 0 && upper < cap && upper > .zero {
            upper = min(cap, upper * 2)
            doublings -= 1
        }
        return upper
    }
}
