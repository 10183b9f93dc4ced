/// The limit of an ``AdaptiveConcurrencyLimit`` and the data for its estimate: a value that gets the time.
struct LimitEstimate: Sendable {
    private static let enoughCalls = 50
    private static let percentile = 0.9
    private static let backoff = 0.9

    // Of Netflix's Gradient2: how much longer than usual is all right, how many calls may queue at the
    // server, and how much of a new limit counts at once.
    private static let tolerance = 1.5
    private static let queue = 4.0
    private static let smoothing = 0.2

    private let settings: AdaptiveConcurrencyLimit
    private var limit: Double
    private var histogram = LatencyHistogram()
    private var failures = 0
    private var windowBegan: Runtime.Instant?
    private var usual = LongAverage()

    init(settings: AdaptiveConcurrencyLimit) {
        self.settings = settings
        limit = Double(settings.initial)
    }

    /// How many calls may be under way.
    var permits: Int { Int(limit) }

    /// Records a call that ended.
    /// - Parameters:
    ///   - duration: How long it took; `nil` if it failed by overload.
    ///   - mostUnderWay: How many calls were under way at most since the last window; asked for at the end of
    ///     one.
    /// - Returns: Whether the limit is another one now.
    mutating func add(
        _ duration: Duration?,
        at now: Runtime.Instant,
        mostUnderWay: () -> Int
    ) -> Bool {
        if let duration { histogram.add(duration) } else { failures += 1 }
        let began = windowBegan ?? now
        windowBegan = began
        let length = began.duration(to: now)
        let isLong = length >= settings.window.upperBound
        let hasEnough = histogram.count + failures >= Self.enoughCalls
        guard isLong || hasEnough && length >= settings.window.lowerBound else { return false }
        defer { beginWindow(at: now) }
        let before = permits
        endWindow(mostUnderWay: mostUnderWay())
        return permits != before
    }

    private mutating func beginWindow(at now: Runtime.Instant) {
        windowBegan = now
        failures = 0
        histogram.removeAll()
    }

    private mutating func endWindow(mostUnderWay: Int) {
        let duration = histogram.percentile(Self.percentile)?.inSeconds
        let isUsed = Double(mostUnderWay) * 2 >= limit
        switch settings.algorithm {
        case .additiveIncrease(let slow):
            if failures > 0 || duration ?? 0 > slow.inSeconds {
                limit *= Self.backoff
            } else if isUsed {
                limit += 1
            }
        case .gradient:
            if let duration { usual.add(duration) }
            if failures > 0 {
                limit *= Self.backoff
            } else if isUsed, let duration {
                limit = followed(duration)
            }
        }
        let range = settings.range
        limit = min(max(limit, Double(range.lowerBound)), Double(range.upperBound))
    }

    private func followed(_ duration: Double) -> Double {
        // A call in no time at all is as fast as ever.
        let ratio = duration > 0 ? Self.tolerance * usual.value / duration : 1
        let target = limit * min(max(ratio, 0.5), 1) + Self.queue
        return limit * (1 - Self.smoothing) + target * Self.smoothing
    }
}

/// An average over many windows: of all the first ten, then exponential over some 600, as in Gradient2.
private struct LongAverage: Sendable {
    private(set) var value = 0.0
    private var count = 0.0

    mutating func add(_ sample: Double) {
        count += 1
        let weight = count <= 10 ? 1 / count : 2.0 / 601
        value += (sample - value) * weight
        // After an overload the average is too long; it comes down faster than one in 600.
        if value > 2 * sample { value *= 0.95 }
    }
}
