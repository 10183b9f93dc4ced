/// Computes when the next call may begin: a value that gets the time.
///
/// The bucket is kept as one point in time, as in the generic cell rate algorithm (ITU-T I.371):
/// when it would be full again. A call may begin if that is no more than the burst's worth ahead,
/// and puts it off by one interval.
struct TokenBucket: Sendable {
    private struct Quota {
        var remaining: Int
        var end: Runtime.Instant
    }

    // Ends are told in whole seconds, so those of one window differ by less.
    private static let resolution: Duration = .seconds(1)

    // Zero where there is no rate.
    private let interval: Duration
    private let tolerance: Duration
    private let maxPause: Duration
    private var fullAt = Runtime.Instant(offset: .zero)
    private var pausedUntil: Runtime.Instant?
    private var quota: Quota?

    init(policy: RateLimitPolicy) {
        interval = policy.calls.map { policy.period / $0 } ?? .zero
        tolerance = interval * (policy.burst - 1)
        maxPause = policy.maxPause
    }

    /// When the `place`th call from now on may begin, if nothing is heard until then.
    func start(of place: Int, at now: Runtime.Instant) -> Runtime.Instant {
        let now = max(now, pausedUntil ?? now)
        if let quota, now < quota.end, place > quota.remaining {
            // What is left of the quota is used up first, and then the bucket goes on from its end.
            return max(quota.end, start(of: place, spacedFrom: now))
        }
        return start(of: place, spacedFrom: now)
    }

    /// Whether it is the server that makes calls wait.
    func isHeldByServer(at now: Runtime.Instant) -> Bool {
        if let pausedUntil, now < pausedUntil { return true }
        return quota.map { $0.remaining < 1 && now < $0.end } ?? false
    }

    /// Lets a call begin, if it may.
    mutating func take(at now: Runtime.Instant) -> Bool {
        guard mayTake(at: now) else { return false }
        // Without a rate the bucket is always full, even for a call that read the clock a little earlier.
        if interval > .zero { fullAt = max(fullAt, now).advanced(by: interval) }
        if let end = quota?.end, end <= now { quota = nil }
        quota?.remaining -= 1
        return true
    }

    /// Records what the server said.
    mutating func follow(_ hint: RateHint, at now: Runtime.Instant) {
        switch hint {
        case .pause(let duration), .quota(remaining: ...0, resetsIn: let duration):
            let end = now.advanced(by: min(max(.zero, duration), maxPause))
            pausedUntil = max(pausedUntil ?? end, end)
        case .quota(let remaining, let duration):
            let end = now.advanced(by: min(max(.zero, duration), maxPause))
            if let known = quota, now < known.end, end <= known.end.advanced(by: Self.resolution) {
                // The same window: what was sent since the response left is counted here only.
                quota = Quota(remaining: min(known.remaining, remaining), end: max(known.end, end))
            } else {
                quota = Quota(remaining: remaining, end: end)
            }
        }
    }

    // The same as a start that has come, in as few steps as every call is worth.
    private func mayTake(at now: Runtime.Instant) -> Bool {
        !isHeldByServer(at: now) && fullAt <= now.advanced(by: tolerance)
    }

    private func start(of place: Int, spacedFrom now: Runtime.Instant) -> Runtime.Instant {
        let earliest = max(fullAt, now).advanced(by: interval * (place - 1) - tolerance)
        return max(now, earliest)
    }
}
