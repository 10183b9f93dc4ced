import InterceptorKit

/// The health of an endpoint: decides whether the endpoint gets requests, without a clock of its own.
struct EndpointHealth: Sendable {
    enum Phase: Sendable, Hashable {
        case available
        case ejected(until: Runtime.Instant)
        /// One request at a time, until one succeeds.
        case onTrial
    }

    /// A change of health, for an event.
    enum Change: Sendable, Hashable {
        case ejected(reason: String, time: Duration)
        case restored
        case paused(time: Duration)
        case failedCheck
        case passedCheck
    }

    private let rules: OutlierDetection?
    private var counter: SlidingWindowCounter?
    private var consecutiveFailures = 0
    private var ejections = 0
    private(set) var phase = Phase.available
    private(set) var pausedUntil: Runtime.Instant?
    /// Whether active health checks fail.
    private(set) var isDown = false
    /// The instant from which the endpoint gets requests; `nil` for one of the first endpoints.
    private(set) var availableSince: Runtime.Instant?

    init(_ rules: OutlierDetection?, availableSince: Runtime.Instant?) {
        self.rules = rules
        self.availableSince = availableSince
        counter = rules.map { SlidingWindowCounter(window: $0.window) }
    }

    /// Returns whether the endpoint may get requests, and the instant at which that changes by itself.
    func availability(at now: Runtime.Instant) -> (isAvailable: Bool, until: Runtime.Instant?) {
        if isDown { return (false, nil) }
        var end: Runtime.Instant?
        if let pausedUntil, pausedUntil > now { end = pausedUntil }
        if case .ejected(let until) = phase, until > now { end = max(until, end ?? until) }
        return (end == nil, end)
    }

    /// Returns whether the endpoint gets one request at a time. An ejection that is over becomes a trial.
    mutating func isOnTrial(at now: Runtime.Instant) -> Bool {
        if case .ejected(let until) = phase, until <= now { phase = .onTrial }
        return phase == .onTrial
    }

    mutating func succeeded(at now: Runtime.Instant) -> Change? {
        consecutiveFailures = 0
        counter?.add(.init(calls: 1), at: now)
        guard phase != .available else { return nil }
        phase = .available
        availableSince = now
        pausedUntil = nil
        counter?.removeAll()
        return .restored
    }

    mutating func failed(
        at now: Runtime.Instant,
        _ reason: String,
        jitter: Double
    ) -> Change? {
        guard let rules else { return nil }
        consecutiveFailures += 1
        counter?.add(.init(calls: 1, failures: 1), at: now)
        switch phase {
        case .ejected: return nil
        case .onTrial: return eject(at: now, reason, rules, jitter)
        case .available: break
        }
        if consecutiveFailures >= rules.consecutiveFailures {
            return eject(at: now, reason, rules, jitter)
        }
        guard let count = counter?.count(at: now), count.calls >= rules.minimumRequests,
            Double(count.calls - count.failures) < Double(count.calls) * rules.successRate
        else { return nil }
        return eject(at: now, "\(count.failures) of \(count.calls) requests failed", rules, jitter)
    }

    mutating func pause(for time: Duration, at now: Runtime.Instant) -> Change? {
        let end = now.advanced(by: time)
        guard end > pausedUntil ?? now else { return nil }
        pausedUntil = end
        return .paused(time: time)
    }

    mutating func setDown(_ isDown: Bool, at now: Runtime.Instant) -> Change? {
        guard isDown != self.isDown else { return nil }
        self.isDown = isDown
        if !isDown {
            availableSince = now
            phase = .available
            consecutiveFailures = 0
            ejections = 0
        }
        return isDown ? .failedCheck : .passedCheck
    }

    private mutating func eject(
        at now: Runtime.Instant,
        _ reason: String,
        _ rules: OutlierDetection,
        _ jitter: Double
    ) -> Change {
        // After more healthy time than the longest ejection, ejections start from the shortest again.
        if phase == .available, let availableSince,
            availableSince.duration(to: now) > rules.maxEjectionTime
        {
            ejections = 0
        }
        let doubled = rules.ejectionTime * (1 << min(ejections, 32))
        let time = min(doubled, rules.maxEjectionTime) * (1 + rules.jitter * jitter)
        ejections += 1
        consecutiveFailures = 0
        phase = .ejected(until: now.advanced(by: time))
        return .ejected(reason: reason, time: time)
    }
}
