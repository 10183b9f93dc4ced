/// How many calls may be under way, found out from how long they take and how many fail.
///
/// Calls are looked at in windows. At the end of one the limit goes up or down, unless less than half of it
/// was used, which says nothing about it. The numbers are those of Netflix's concurrency-limits, and
/// failsafe-go's for the bounds, the percentile and the windows.
public struct AdaptiveConcurrencyLimit: Sendable, Hashable {
    /// By which rule the limit follows a window.
    public enum Algorithm: Sendable, Hashable {
        /// One more each time, and a tenth less when a call failed or was slow: finds its way with no more
        /// than a bound for the duration.
        /// - slowerThan: The 90th percentile from which on a window is one too many.
        case additiveIncrease(slowerThan: Duration = .seconds(5))
        /// By how much calls take longer than they did in the long run (Netflix's Gradient2): needs no bound,
        /// and moves before calls fail.
        case gradient
    }

    /// By which rule the limit follows a window.
    public var algorithm: Algorithm

    /// The limit to begin with. Defaults to 20.
    public var initial = 20

    /// The smallest and the largest limit. Defaults to 1 to 200.
    public var range = 1...200

    /// How many more calls may wait. Defaults to none: what is too much is turned away.
    public var queueLimit = 0

    /// The shortest and the longest window. One ends after the shortest time if it has 50 calls,
    /// and after the longest in any case. Defaults to 1 s to 30 s.
    public var window: ClosedRange<Duration> = .seconds(1) ... .seconds(30)

    /// For how many authorities the state is kept; see ``PerAuthority``. Defaults to 64.
    public var authorityLimit = 64

    /// Creates settings with the default numbers.
    /// - Parameter algorithm: By which rule the limit follows a window. Defaults to the gradient.
    public init(_ algorithm: Algorithm = .gradient) { self.algorithm = algorithm }

    /// Throws if the numbers cannot work.
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
