/// A concurrency limit that adapts to the duration and the failures of calls.
///
/// Calls are observed in windows. At the end of a window the limit goes up or down, unless less than half of
/// it was used, which says nothing about it. The numbers are those of Netflix's concurrency-limits, and
/// failsafe-go's for the bounds, the percentile and the windows.
public struct AdaptiveConcurrencyLimit: Sendable, Hashable {
    /// The rule by which the limit adapts after each window.
    public enum Algorithm: Sendable, Hashable {
        /// One more each time, and a tenth less when a call failed or was slow. It only needs a bound for the
        /// duration.
        /// - slowerThan: The 90th percentile above which a window counts as overload.
        case additiveIncrease(slowerThan: Duration = .seconds(5))
        /// The ratio of recent to long-term durations (Netflix's Gradient2). It needs no bound, and reacts
        /// before calls fail.
        case gradient
    }

    /// The rule by which the limit adapts after each window.
    public var algorithm: Algorithm

    /// The initial limit. Defaults to 20.
    public var initial = 20

    /// The smallest and the largest limit. Defaults to 1 to 200.
    public var range = 1...200

    /// The number of calls that may wait. Defaults to none: calls above the limit are rejected.
    public var queueLimit = 0

    /// The shortest and the longest window. One ends after the shortest time if it has 50 calls,
    /// and after the longest in any case. Defaults to 1 s to 30 s.
    public var window: ClosedRange<Duration> = .seconds(1) ... .seconds(30)

    /// The number of authorities whose state is kept; see ``PerAuthority``. Defaults to 64.
    public var authorityLimit = 64

    /// Creates settings with the default numbers.
    /// - Parameter algorithm: The rule by which the limit adapts. Defaults to the gradient.
    public init(_ algorithm: Algorithm = .gradient) { self.algorithm = algorithm }

    /// Throws if a value isn't allowed.
    public func validate() throws(SettingError) {
        let check = SettingCheck(of: "AdaptiveConcurrencyLimit")
        if case .additiveIncrease(let slow) = algorithm {
            try check.positive("slowerThan", slow)
        }
        try check.positive("range.lowerBound", range.lowerBound)
        try check.within(range, "initial", initial)
        try check.notNegative("queueLimit", queueLimit)
        try check.positive("window.lowerBound", window.lowerBound)
        try check.positive("window.upperBound", window.upperBound)
        try check.positive("authorityLimit", authorityLimit)
    }
}

extension AdaptiveConcurrencyLimit: CheckedPolicy {}
