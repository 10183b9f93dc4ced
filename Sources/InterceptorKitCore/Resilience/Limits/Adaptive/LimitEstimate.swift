/// An estimate of the attempts that a server can take, from their outcomes: a value that gets the time.
struct LimitEstimate: Sendable {
    /// The meaning of an attempt for the limit.
    enum Outcome: Sendable, Hashable {
        /// The server did the work.
        case success
        /// No response came in time, which is a sign of overload.
        case timeout
        /// The attempt failed at once, whatever the load, with an error or a limit that concerns its caller.
        case failure
        /// No information, for example because the attempt was cancelled.
        case unknown
    }

    // The share above which timeouts count, and the weight of the past with each outcome: about five outcomes count.
    private static let tolerated = 0.25
    private static let memory = 0.8

    // The factor by which a cut multiplies the limit.
    private static let cut = 0.7

    // The growth of the limit in one round trip: a quarter of the limit before the first cut, half an attempt after a
    // cut, and more with the square of the seconds without another cut, after the first two.
    private static let start = 0.25
    private static let increase = 0.5
    private static let acceleration = 0.03
    private static let plateau = 2.0

    // Responses that take more than this share of the time limit come from a queue that is nearly too long.
    private static let nearLimit = 0.7
    private static let nearLimitDuration: Duration = .seconds(10)

    // An attempt was served well if it took at most this share of the time limit.
    private static let wellServed = 0.5

    // After this time without a response, or twice the usual latency, one attempt in each interval is let through above
    // the limit, to find out when the server works again.
    private static let silence: Duration = .seconds(1)
    private static let probeInterval: Duration = .milliseconds(250)

    private let range: ClosedRange<Double>

    private(set) var limit: Double
    /// The last outcomes, for messages.
    private(set) var recent = RecentTimeouts()

    private var timeouts = 0.0
    private var lastCut: Runtime.Instant?
    private var lastTimeout: (instant: Runtime.Instant, limit: Duration)?
    /// The latency of successes in seconds, as an average over about ten.
    private var latency: Double?
    /// The number of attempts in flight when attempts were served well, as an average over about ten.
    private var served = 0.0
    private var lastResponse: Runtime.Instant?
    private var lastProbe: Runtime.Instant?

    init(settings: AdaptiveConcurrencyLimit) {
        limit = Double(settings.initial)
        range = Double(settings.range.lowerBound)...Double(settings.range.upperBound)
    }

    var permits: Int { max(1, Int(limit)) }

    /// The instant at which an attempt may exceed the limit, without an earlier response; `nil` if no attempt timed
    /// out.
    var nextProbe: Runtime.Instant? {
        guard lastTimeout != nil, let lastResponse else { return nil }
        // A slow server is not silent.
        let silence = max(Self.silence, .seconds(2 * (latency ?? 0)))
        let silent = lastResponse.advanced(by: silence)
        return lastProbe.map { max(silent, $0.advanced(by: Self.probeInterval)) } ?? silent
    }

    /// Records that an attempt begins above the limit.
    mutating func probe(at now: Runtime.Instant) { lastProbe = now }

    /// Records an attempt that ended.
    /// - Parameters:
    ///   - outcome: The sign that the attempt gives about the server.
    ///   - duration: The time that the attempt took.
    ///   - inFlight: The number of attempts in flight when it began, including itself.
    ///   - now: The instant at which it ended.
    mutating func add(
        _ outcome: Outcome,
        lasting duration: Duration,
        inFlight: Int,
        at now: Runtime.Instant
    ) {
        guard outcome != .unknown else { return }
        let isTimeout = outcome == .timeout
        recent.add(isTimeout)
        timeouts = timeouts * Self.memory + (isTimeout ? 1 - Self.memory : 0)
        switch outcome {
        case .success: succeed(after: duration, inFlight, at: now)
        case .timeout: timeOut(after: duration, inFlight, at: now)
        case .failure: lastResponse = now
        case .unknown: break
        }
    }

    private mutating func succeed(
        after duration: Duration,
        _ inFlight: Int,
        at now: Runtime.Instant
    ) {
        lastResponse = now
        let seconds = duration.inSeconds
        latency = latency.map { $0 + 0.1 * (seconds - $0) } ?? seconds
        if seconds <= Self.wellServed * (lastTimeout?.limit.inSeconds ?? .infinity) {
            served += 0.1 * (Double(inFlight) - served)
        }
        if Double(inFlight) * 2 >= limit, !isNearTimeLimit(at: now) {
            limit = min(range.upperBound, limit + min(1, growth(at: now) / limit))
        }
    }

    private mutating func timeOut(
        after duration: Duration,
        _ inFlight: Int,
        at now: Runtime.Instant
    ) {
        lastTimeout = (now, duration)
        if lastResponse == nil { lastResponse = now.advanced(by: .zero - duration) }
        // Attempts of one round trip say the same; half a round trip is long enough to see the effect of the last cut.
        let isRecent = lastCut.map { $0.duration(to: now) < duration / 2 } ?? false
        // A single attempt is no load.
        guard timeouts > Self.tolerated, !isRecent, inFlight > 1 else { return }
        lastCut = now
        let used = min(limit, Double(inFlight))
        limit = min(limit, max(range.lowerBound, used * Self.cut, served))
    }

    private func growth(at now: Runtime.Instant) -> Double {
        guard let lastCut else { return max(Self.increase, Self.start * limit) }
        let seconds = max(0, lastCut.duration(to: now).inSeconds - Self.plateau)
        return Self.increase + Self.acceleration * seconds * seconds
    }

    private func isNearTimeLimit(at now: Runtime.Instant) -> Bool {
        guard let lastTimeout, let latency,
            lastTimeout.instant.duration(to: now) < Self.nearLimitDuration
        else { return false }
        return latency > Self.nearLimit * lastTimeout.limit.inSeconds
    }
}

/// The number of timeouts among the last outcomes.
struct RecentTimeouts: Sendable {
    private static let most = 20

    private var bits: UInt32 = 0
    /// The number of outcomes, at most 20.
    private(set) var outcomes = 0

    var timeouts: Int { bits.nonzeroBitCount }

    mutating func add(_ isTimeout: Bool) {
        bits = (bits << 1 | (isTimeout ? 1 : 0)) & (1 << UInt32(Self.most) - 1)
        outcomes = min(Self.most, outcomes + 1)
    }
}
