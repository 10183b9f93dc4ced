/// Counts the refreshes that succeeded of late.
struct RefreshWindow {
    let limit: Int
    let length: Duration
    private var ends: [Runtime.Instant] = []

    init(limit: Int, length: Duration) {
        self.limit = limit
        self.length = length
    }

    var count: Int { ends.count }

    func isFull(at now: Runtime.Instant) -> Bool {
        ends.count == limit && ends[0].duration(to: now) < length
    }

    mutating func note(_ now: Runtime.Instant) {
        // The oldest alone decides, so no more than the limit are kept.
        if ends.count == limit { ends.removeFirst() }
        ends.append(now)
    }
}
