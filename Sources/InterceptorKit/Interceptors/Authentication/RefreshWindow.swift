/// The refreshes within the policy's window.
struct RefreshWindow {
    let limit: Int
    let length: Duration
    private var ends: [Runtime.Instant] = []

    init(_ policy: RefreshPolicy) {
        limit = policy.limit
        length = policy.window
    }

    func isFull(at now: Runtime.Instant) -> Bool {
        ends.count == limit && ends[0].duration(to: now) < length
    }

    mutating func note(_ now: Runtime.Instant) {
        // Only the oldest decides, so no more than the limit are kept.
        if ends.count == limit { ends.removeFirst() }
        ends.append(now)
    }
}
