/// How many attempts a server takes, by their outcomes: a value that gets the time.
struct LimitEstimate: Sendable {
    /// What an attempt says about the server.
    enum Outcome: Sendable, Hashable {
        /// The server did the work.
        case success
        /// No answer came in time, which is what an overload looks like.
        case timeout
        /// The server asks for fewer requests, and to wait that long.
        case throttled(retryAfter: Duration?)
        /// The attempt failed at once, whatever the load.
        case failure
        /// Nothing, for example because it was cancelled.
        case unknown
    }

    // The share of the last outcomes from which timeouts or throttling count, and how much of the past
    // remains with each outcome: about five outcomes count.
    private static let tolerated = 0.25
    private static let memory = 0.8

    // What a cut leaves: of a limit, and of a limit of one attempt at a time.
    private static let cut = 0.7
    private static let cutBelowOne = 0.3
    private static let lowest = 0.2

    // How many more attempts a round trip brings: a quarter of them before the first cut, half of one after
    // a cut, and more with the square of the seconds that pass without another, two of them excepted.
    private static let start = 0.25
    private static let increase = 0.5
    private static let acceleration = 0.03
    private static let plateau = 2.0

    // Answers that take so much of the time limit come from a queue that is nearly too long.
    private static let nearLimit = 0.7
    private static let nearLimitFor: Duration = .seconds(10)

    // After so many failures on end, and so long without a success, one attempt in this time finds out when
    // the server works again.
    private static let failuresBeforeProbing = 5
    private static let timeBeforeProbing: Duration = .seconds(1)
    private static let probeInterval: Duration = .milliseconds(250)

    private let range: ClosedRange<Double>
    private let maxRetryAfter: Duration

    /// The limit; below one, the share of the time in which an attempt is in flight.
    private(set) var limit: Double
    /// The instant before which nothing is sent; `nil` for none.
    private(set) var pausedUntil: Runtime.Instant?

    private var timeouts = 0.0
    private var throttled = 0.0
    private var lastCut: Runtime.Instant?
    private var lastTimeout: (instant: Runtime.Instant, limit: Duration)?
    /// How long successes take, as an average over about ten.
    private var latency: Double?
    private var failuresInRow = 0
    private var lastSuccess: Runtime.Instant?
    /// The limit to go back to when a probe succeeds.
    private var limitBeforeProbing: Double?

    init(settings: AdaptiveConcurrencyLimit) {
        limit = Double(settings.initial)
        range = Double(settings.range.lowerBound)...Double(settings.range.upperBound)
        maxRetryAfter = settings.maxRetryAfter
    }

    /// How many attempts may be in flight.
    var permits: Int { max(1, Int(limit)) }

    /// Records an attempt that ended.
    /// - Parameters:
    ///   - outcome: What it says about the server.
    ///   - duration: How long it took.
    ///   - inFlight: How many were in flight when it began, with itself.
    ///   - now: When it ended.
    mutating func add(
        _ outcome: Outcome,
        lasting duration: Duration,
        inFlight: Int,
        at now: Runtime.Instant
    ) {
        switch outcome {
        case .success: succeed(after: duration, inFlight, at: now)
        case .timeout: timeOut(after: duration, inFlight, at: now)
        case .throttled(let wish): throttle(wish, at: now)
        case .failure: fail(at: now)
        case .unknown: break
        }
        if limit < 1 { pause(after: duration, at: now) }
    }

    private mutating func count(timeout: Double = 0, throttled isThrottled: Double = 0) {
        timeouts = timeouts * Self.memory + timeout * (1 - Self.memory)
        throttled = throttled * Self.memory + isThrottled * (1 - Self.memory)
    }

    private mutating func succeed(
        after duration: Duration,
        _ inFlight: Int,
        at now: Runtime.Instant
    ) {
        count()
        failuresInRow = 0
        lastSuccess = now
        let seconds = duration.inSeconds
        latency = latency.map { $0 + 0.1 * (seconds - $0) } ?? seconds
        if let before = limitBeforeProbing.take() {
            limit = before
        } else if limit < 1 {
            limit = 1
        } else if Double(inFlight) * 2 >= limit, !isNearTimeLimit(at: now) {
            limit = min(range.upperBound, limit + min(1, growth(at: now) / limit))
        }
        if limit >= 1, let end = pausedUntil, end <= now { pausedUntil = nil }
    }

    private mutating func timeOut(
        after duration: Duration,
        _ inFlight: Int,
        at now: Runtime.Instant
    ) {
        count(timeout: 1)
        failuresInRow += 1
        lastTimeout = (now, duration)
        // Attempts of one round trip say the same; half of one is long enough to hear of the last cut.
        let isRecent = lastCut.map { $0.duration(to: now) < duration / 2 } ?? false
        guard timeouts > Self.tolerated, !isRecent else { return }
        lastCut = now
        let used = min(limit, max(1, Double(inFlight)))
        if used > 1 {
            limit = max(range.lowerBound, used * Self.cut)
        } else if range.lowerBound == 1 {
            limit = max(Self.lowest, used * Self.cutBelowOne)
        }
    }

    private mutating func throttle(_ wish: Duration?, at now: Runtime.Instant) {
        count(throttled: 1)
        guard throttled > Self.tolerated, let wish, wish > .zero else { return }
        let end = now.advanced(by: min(wish, maxRetryAfter))
        pausedUntil = max(pausedUntil ?? end, end)
    }

    private mutating func fail(at now: Runtime.Instant) {
        count()
        failuresInRow += 1
        let silence = lastSuccess.map { $0.duration(to: now) } ?? Self.timeBeforeProbing
        guard failuresInRow >= Self.failuresBeforeProbing, silence >= Self.timeBeforeProbing,
            limit >= 1
        else { return }
        limitBeforeProbing = limit
        limit = 0.5
    }

    private mutating func pause(after duration: Duration, at now: Runtime.Instant) {
        let pause = duration * (1 / limit - 1)
        let least = limitBeforeProbing == nil ? Duration.zero : Self.probeInterval
        let end = now.advanced(by: max(pause, least))
        pausedUntil = max(pausedUntil ?? end, end)
    }

    private func growth(at now: Runtime.Instant) -> Double {
        guard let lastCut else { return max(Self.increase, Self.start * limit) }
        let seconds = max(0, lastCut.duration(to: now).inSeconds - Self.plateau)
        return Self.increase + Self.acceleration * seconds * seconds
    }

    private func isNearTimeLimit(at now: Runtime.Instant) -> Bool {
        guard let lastTimeout, let latency,
            lastTimeout.instant.duration(to: now) < Self.nearLimitFor
        else { return false }
        return latency > Self.nearLimit * lastTimeout.limit.inSeconds
    }
}
