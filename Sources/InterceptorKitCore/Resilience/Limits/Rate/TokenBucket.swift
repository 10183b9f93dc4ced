/// A value that gets the time and computes when the next call may begin.
///
/// The bucket is one instant, at which it would be full again, as in the generic cell rate algorithm (ITU-T I.371). A
/// call may begin if that instant is at most one burst ahead, and moves it by one interval for each of its permits.
struct TokenBucket: Sendable {
    private struct Quota {
        var remaining: Int
        var end: Runtime.Instant
    }

    // Servers state the end in whole seconds, so the ends of one window differ by less than this.
    private static let resolution: Duration = .seconds(1)

    // No turn is computed further ahead, so that the product with an interval stays below Duration's largest value.
    private static let farthest = 2_000_000_000

    // Zero without a rate.
    private let interval: Duration
    private let tolerance: Duration
    /// The most permits that a call can take at once.
    let maxPermits: Int
    private let maxPause: Duration
    private var fullAt = Runtime.Instant(offset: .zero)
    private var pausedUntil: Runtime.Instant?
    private var quota: Quota?

    init(policy: RateLimitPolicy) {
        interval = policy.calls.map { policy.period / $0 } ?? .zero
        tolerance = interval * (policy.burst - 1)
        maxPermits = policy.calls == nil ? .max : policy.burst
        maxPause = policy.maxPause
    }

    /// Returns when the call that takes the `position`th permit from now on may begin, without further hints.
    func start(of position: Int, at now: Runtime.Instant) -> Runtime.Instant {
        let now = max(now, pausedUntil ?? now)
        if let quota, now < quota.end, position > quota.remaining {
            // The rest of the quota is used first; then the bucket goes on from the quota's end.
            return max(quota.end, start(of: position, spacedFrom: now))
        }
        return start(of: position, spacedFrom: now)
    }

    /// Whether the server makes calls with so many permits wait.
    func isHeldByServer(_ permits: Int, at now: Runtime.Instant) -> Bool {
        if let pausedUntil, now < pausedUntil { return true }
        return quota.map { $0.remaining < permits && now < $0.end } ?? false
    }

    /// Lets a call with so many permits begin if it may.
    mutating func take(_ permits: Int = 1, at now: Runtime.Instant) -> Bool {
        permits == 1
            ? take(1, lasting: interval, within: tolerance, at: now) : takeSeveral(permits, at: now)
    }

    // A separate function, because nearly every call takes one, and products of 128 bits cost more than the rest.
    @inline(never)
    private mutating func takeSeveral(_ permits: Int, at now: Runtime.Instant) -> Bool {
        guard permits <= maxPermits else { return false }
        let more = interval * (permits - 1)
        return take(permits, lasting: interval + more, within: tolerance - more, at: now)
    }

    @inline(__always)
    private mutating func take(
        _ permits: Int,
        lasting duration: Duration,
        within tolerance: Duration,
        at now: Runtime.Instant
    ) -> Bool {
        // Equivalent to a start that has come, in fewer steps, because every call runs it.
        guard !isHeldByServer(permits, at: now), fullAt <= now.advanced(by: tolerance) else {
            return false
        }
        // Without a rate the bucket is always full, even for a call that read the clock a little earlier.
        if interval > .zero { fullAt = max(fullAt, now).advanced(by: duration) }
        if let end = quota?.end, end <= now { quota = nil }
        quota?.remaining -= permits
        return true
    }

    mutating func follow(_ hint: RateHint, at now: Runtime.Instant) {
        switch hint {
        case .pause(let duration), .quota(remaining: ...0, resetsIn: let duration):
            let end = now.advanced(by: min(max(.zero, duration), maxPause))
            pausedUntil = max(pausedUntil ?? end, end)
        case .quota(let remaining, let duration):
            let end = now.advanced(by: min(max(.zero, duration), maxPause))
            if let known = quota, now < known.end, end <= known.end.advanced(by: Self.resolution) {
                // The same window: only this quota counts the calls sent since the response left the server.
                quota = Quota(remaining: min(known.remaining, remaining), end: max(known.end, end))
            } else {
                quota = Quota(remaining: remaining, end: end)
            }
        }
    }

    private func start(of position: Int, spacedFrom now: Runtime.Instant) -> Runtime.Instant {
        let ahead = interval * min(position - 1, Self.farthest)
        let earliest = max(fullAt, now).advanced(by: ahead - tolerance)
        return max(now, earliest)
    }
}
