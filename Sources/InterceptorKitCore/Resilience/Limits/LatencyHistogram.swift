/// How long calls took, in buckets whose ends are an eighth apart or less.
///
/// Enough to tell a percentile to one part in sixteen, in one kibibyte however many calls there are.
struct LatencyHistogram: Sendable {
    // Up to 8 microseconds one by one, then eight to each doubling, up to an hour.
    private static let steps: UInt64 = 8
    private static let longest: UInt64 = 3_600_000_000

    private var counts = [UInt32](repeating: 0, count: bucket(of: longest) + 1)
    private(set) var count = 0

    mutating func add(_ duration: Duration) {
        counts[Self.bucket(of: Self.microseconds(in: duration))] += 1
        count += 1
    }

    /// The duration below which a share of the calls lies; `nil` without any.
    /// - Parameter share: From 0 to 1.
    func percentile(_ share: Double) -> Duration? {
        guard count > 0 else { return nil }
        let rank = max(1, Int((share * Double(count)).rounded(.up)))
        var seen = 0
        for (bucket, count) in counts.enumerated() {
            seen += Int(count)
            if seen >= rank { return Self.middle(of: bucket) }
        }
        return nil
    }

    mutating func removeAll() {
        for bucket in counts.indices { counts[bucket] = 0 }
        count = 0
    }

    private static func microseconds(in duration: Duration) -> UInt64 {
        // Up to nine seconds fit in 64 bits, which are divided ten times faster than 128.
        if let attoseconds = UInt64(exactly: duration.attoseconds) {
            return attoseconds / 1_000_000_000_000
        }
        return UInt64(max(0, min(duration / .microseconds(1), Double(longest))))
    }

    private static func bucket(of microseconds: UInt64) -> Int {
        guard microseconds >= steps else { return Int(microseconds) }
        // How often it can be halved and still have a step.
        let doublings = 60 - microseconds.leadingZeroBitCount
        return Int(steps) * doublings + Int(microseconds >> UInt64(doublings))
    }

    private static func middle(of bucket: Int) -> Duration {
        let bucket = UInt64(bucket)
        guard bucket >= 2 * steps else { return .microseconds(Int64(bucket)) }
        let doublings = bucket / steps - 1
        let start = (steps + bucket % steps) << doublings
        return .nanoseconds(Int64(start * 1000 + (1000 << doublings) / 2))
    }
}
