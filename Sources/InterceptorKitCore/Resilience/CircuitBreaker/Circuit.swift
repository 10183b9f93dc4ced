/// A breaker's state for one authority: a value that gets the time and decides.
///
/// - closed: every call passes, and how they went is counted;
/// - open: none passes until the break is over;
/// - half-open: one call at a time passes, as a probe. The permit is a lease of one break period: when a
///   probe is not heard of by then, another one passes, so a probe that is lost costs one period and never
///   leaves the circuit stuck (the idea is Polly's, the accident resilience4j's, issue 935).
///
/// Each change of the state begins an epoch. What a call reports counts only in the epoch it was let through
/// in: a call that began before the circuit opened can no longer close it.
struct Circuit: Sendable {
    enum Phase: Sendable, Hashable {
        case closed
        case open(until: Runtime.Instant)
        /// `lease` is when another probe may pass, `nil` at once.
        case halfOpen(lease: Runtime.Instant?, successes: Int)
        /// By hand, until it is reset by hand.
        case isolated
    }

    /// What a call that was let through shows when it reports.
    struct Permission: Sendable, Hashable {
        fileprivate let epoch: Int
        // The probe's number, 0 for a call through a closed circuit.
        fileprivate let probe: Int
    }

    enum Entry: Sendable, Hashable {
        case permitted(Permission)
        case refused(until: Runtime.Instant)
        case isolated
    }

    /// How a call went.
    enum Health: Sendable, Hashable {
        case good
        case slow
        case bad(reason: String, retryAfter: Duration?)
        /// Says nothing about the server: it was cancelled, rejected locally, or failed before it was sent.
        case unknown
    }

    let policy: CircuitBreakerPolicy
    private(set) var phase = Phase.closed
    /// What opened it, in a few words.
    private(set) var cause = ""
    private var counter: SlidingWindowCounter
    private var epoch = 0
    private var probe = 0
    // How often it opened without having closed in between, and how long the present break is.
    private var openings = 0
    private(set) var period: Duration = .zero

    init(policy: CircuitBreakerPolicy) {
        self.policy = policy
        counter = SlidingWindowCounter(window: policy.window)
    }

    /// Asks for a call to be let through.
    /// - Parameter now: Reads the clock, which a closed circuit has no need of.
    mutating func enter(at now: () -> Runtime.Instant) -> Entry {
        let successes: Int
        switch phase {
        case .closed:
            return .permitted(Permission(epoch: epoch, probe: 0))
        case .isolated:
            return .isolated
        case .open(let end):
            guard end <= now() else { return .refused(until: end) }
            successes = 0
        case .halfOpen(let lease, let count):
            if let lease, lease > now() { return .refused(until: lease) }
            successes = count
        }
        probe += 1
        phase = .halfOpen(lease: now().advanced(by: period), successes: successes)
        return .permitted(Permission(epoch: epoch, probe: probe))
    }

    /// Lets a call through a closed circuit to be counted, and no more; `nil` in other states.
    func watch() -> Permission? { phase == .closed ? Permission(epoch: epoch, probe: 0) : nil }

    /// Reports how a call went that was let through.
    /// - Parameters:
    ///   - mayOpen: Whether it is more than counted.
    ///   - fraction: Draws a number from 0 up to 1.
    mutating func leave(
        _ permission: Permission,
        _ health: Health,
        at now: Runtime.Instant,
        mayOpen: Bool = true,
        fraction: () -> Double
    ) {
        guard permission.epoch == epoch else { return }
        switch phase {
        case .closed:
            count(health, at: now)
            guard mayOpen, let cause = reasonToOpen(after: health, at: now) else { return }
            open(cause, health, at: now, fraction())
        case .halfOpen(let lease, let successes):
            // The permit goes back, unless it ran out and is another probe's by now.
            let left = permission.probe == probe ? nil : lease
            switch health {
            case .unknown:
                phase = .halfOpen(lease: left, successes: successes)
            case .good where successes + 1 >= policy.successesToClose:
                close()
            case .good:
                phase = .halfOpen(lease: left, successes: successes + 1)
            case .slow:
                open("a probe was slow", health, at: now, fraction())
            case .bad(let reason, _):
                open("a probe failed: \(reason)", health, at: now, fraction())
            }
        case .open, .isolated:
            break
        }
    }

    /// Counts a success through a closed circuit, which changes no state; `false` if it is not that.
    mutating func countSuccess(_ permission: Permission, at now: Runtime.Instant) -> Bool {
        guard phase == .closed, permission.epoch == epoch else { return false }
        count(.good, at: now)
        return true
    }

    /// Lets nothing through until it is reset.
    mutating func isolate() {
        begin(.isolated)
        cause = "it was isolated by hand"
    }

    /// Closes it and forgets what it has counted.
    mutating func reset() { close() }

    /// What the window holds.
    func count(at now: Runtime.Instant) -> SlidingWindowCounter.Count { counter.looked(at: now) }

    private mutating func count(_ health: Health, at now: Runtime.Instant) {
        switch health {
        case .good: counter.add(SlidingWindowCounter.Count(calls: 1), at: now)
        case .slow: counter.add(SlidingWindowCounter.Count(calls: 1, slowCalls: 1), at: now)
        case .bad: counter.add(SlidingWindowCounter.Count(calls: 1, failures: 1), at: now)
        case .unknown: break
        }
    }

    private mutating func reasonToOpen(after health: Health, at now: Runtime.Instant) -> String? {
        if health == .good || health == .unknown { return nil }
        let count = counter.count(at: now)
        guard count.calls >= policy.minimumCalls else { return nil }
        let calls = Double(count.calls)
        if case .bad(let reason, _) = health,
            Double(count.failures) >= calls * policy.failureRatio
        {
            return "\(count.failures) of \(count.calls) calls failed, the last by \(reason)"
        }
        if health == .slow, Double(count.slowCalls) >= calls * policy.slowCallRatio {
            return "\(count.slowCalls) of \(count.calls) calls were slow"
        }
        return nil
    }

    private mutating func open(
        _ cause: String,
        _ health: Health,
        at now: Runtime.Instant,
        _ fraction: Double
    ) {
        openings += 1
        period = policy.breakPeriod(openings, fraction)
        if case .bad(_, let wish?) = health {
            period = max(period, min(wish, policy.maxRetryAfter))
        }
        begin(.open(until: now.advanced(by: period)))
        self.cause = cause
    }

    private mutating func close() {
        begin(.closed)
        openings = 0
        cause = ""
        counter.removeAll()
    }

    private mutating func begin(_ phase: Phase) {
        self.phase = phase
        epoch += 1
    }
}

extension CircuitBreakerPolicy {
    /// How long the `number`th break in a row is.
    fileprivate func breakPeriod(_ number: Int, _ fraction: Double) -> Duration {
        // The longest break still has its jitter below the limit; cut off, most would be the same.
        let longest = maxBreakDuration * (1 / (1 + jitter))
        let backoff = Backoff(base: breakDuration, cap: longest, jitter: .none)
        return backoff.delay(after: number, fraction: 0) * (1 - jitter + 2 * jitter * fraction)
    }
}
