/// The state of a breaker for one authority: a value that gets the time and decides.
///
/// - closed: every call passes, and its result is counted;
/// - open: no call passes until the break is over;
/// - half-open: one call at a time passes, as a probe. The permit is a lease of one break period. If a probe does not
///   report by then, another one passes, so a lost probe costs one period and never leaves the circuit stuck (the idea
///   is Polly's; resilience4j's issue 935 is the accident that it prevents);
/// - isolated: no call passes until the circuit is reset by hand, or until a given time, after which it is half-open.
///
/// Each change of the state begins an epoch. A call's report counts only in the epoch in which the call was admitted: a
/// call that began before the circuit opened can no longer close it.
struct Circuit: Sendable {
    enum Phase: Sendable, Hashable {
        case closed
        case open(until: Runtime.Instant)
        /// `lease` is the instant at which another probe may pass; `nil` means at once.
        case halfOpen(lease: Runtime.Instant?, successes: Int)
        /// Isolated manually, until a manual reset or an instant.
        case isolated(until: Runtime.Instant?)
    }

    /// The proof of admission that a call presents when it reports.
    struct Permission: Sendable, Hashable {
        fileprivate let epoch: Int
        // The probe's number; 0 for a call through a closed circuit.
        fileprivate let probe: Int
    }

    enum Entry: Sendable, Hashable {
        case permitted(Permission)
        case refused(until: Runtime.Instant)
        case isolated(until: Runtime.Instant?)
    }

    /// The result of a call, as a sign of the server's health.
    enum Health: Sendable, Hashable {
        case good
        case slow
        case bad(reason: String, retryAfter: Duration?)
        /// No sign of the server's health: the call was cancelled, rejected locally, or failed before it was sent.
        case unknown
    }

    let policy: CircuitBreakerPolicy
    private(set) var phase = Phase.closed
    /// The reason why the circuit opened, in a few words.
    private(set) var cause = ""
    private var counter: SlidingWindowCounter
    private var epoch = 0
    private var probe = 0
    // The number of consecutive openings without a close, the length of the current break or isolation, and that of a
    // probe's lease.
    private(set) var openings = 0
    private(set) var period: Duration = .zero
    private var lease: Duration = .zero

    init(policy: CircuitBreakerPolicy) {
        self.policy = policy
        counter = SlidingWindowCounter(window: policy.window)
    }

    /// Requests admission for a call.
    /// - Parameter now: Reads the clock, which a closed circuit does not need.
    mutating func enter(at now: () -> Runtime.Instant) -> Entry {
        let successes: Int
        switch phase {
        case .closed:
            return .permitted(Permission(epoch: epoch, probe: 0))
        case .isolated(let end):
            guard let end, end <= now() else { return .isolated(until: end) }
            successes = 0
        case .open(let end):
            guard end <= now() else { return .refused(until: end) }
            successes = 0
        case .halfOpen(let lease, let count):
            if let lease, lease > now() { return .refused(until: lease) }
            successes = count
        }
        probe += 1
        phase = .halfOpen(lease: now().advanced(by: lease), successes: successes)
        return .permitted(Permission(epoch: epoch, probe: probe))
    }

    /// Admits a call through a closed circuit, for counting only; `nil` in other states.
    func watch() -> Permission? {
        guard case .closed = phase else { return nil }
        return Permission(epoch: epoch, probe: 0)
    }

    /// Reports the result of an admitted call.
    /// - Parameters:
    ///   - mayOpen: Whether the result may open the circuit; if not, it is only counted.
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
            // Returns the permit, unless its lease ended and another probe holds it now.
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

    /// Counts a success through a closed circuit, which changes no state. Returns `false` in any other case.
    mutating func countSuccess(_ permission: Permission, at now: Runtime.Instant) -> Bool {
        guard case .closed = phase, permission.epoch == epoch else { return false }
        count(.good, at: now)
        return true
    }

    /// Admits no call until the circuit is reset, or until a time has passed.
    mutating func isolate(for duration: Duration? = nil, at now: Runtime.Instant) {
        begin(.isolated(until: duration.map { now.advanced(by: $0) }))
        cause = "it was isolated by hand"
        openings = 0
        period = duration ?? .zero
        lease = policy.breakDuration
    }

    /// Whether the circuit is isolated, and stays so.
    func isIsolated(at now: Runtime.Instant) -> Bool {
        guard case .isolated(let end) = phase else { return false }
        return end.map { now < $0 } ?? true
    }

    /// Closes the circuit and clears its counts.
    mutating func reset() { close() }

    /// Returns the counts of the window.
    func count(at now: Runtime.Instant) -> SlidingWindowCounter.Count {
        counter.peekedCount(at: now)
    }

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
        period = policy.lengthened(policy.breakPeriod(openings, fraction), by: health)
        lease = period
        begin(.open(until: now.advanced(by: period)))
        self.cause = cause
    }

    /// Replaces the length of a break that just began.
    /// - Parameters:
    ///   - duration: The new length, before jitter.
    ///   - number: The number of the break, which must be the current one.
    ///   - health: The result that opened the circuit.
    mutating func setBreak(
        _ duration: Duration,
        number: Int,
        after health: Health,
        at now: Runtime.Instant,
        fraction: Double
    ) {
        guard case .open = phase, openings == number else { return }
        let length = min(max(.zero, duration), policy.maxBreakDuration)
        let jittered = min(length * policy.jitterFactor(fraction), policy.maxBreakDuration)
        period = policy.lengthened(jittered, by: health)
        // A break of no length does not let every call through as a probe.
        lease = max(period, policy.breakDuration)
        phase = .open(until: now.advanced(by: period))
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
    /// Returns the length of the `number`th consecutive break.
    fileprivate func breakPeriod(_ number: Int, _ fraction: Double) -> Duration {
        // The jitter of the longest break stays below the limit, so that the longest breaks differ.
        let longest = maxBreakDuration * (1 / (1 + jitter))
        let backoff = Backoff(base: breakDuration, cap: longest, jitter: .none)
        return backoff.delay(after: number, fraction: 0) * jitterFactor(fraction)
    }

    fileprivate func jitterFactor(_ fraction: Double) -> Double {
        1 - jitter + 2 * jitter * fraction
    }

    /// Returns the length of a break that is at least as long as the server asked for, up to the limit.
    fileprivate func lengthened(_ period: Duration, by health: Circuit.Health) -> Duration {
        guard case .bad(_, let retryAfter?) = health else { return period }
        return max(period, min(retryAfter, maxRetryAfter))
    }
}
