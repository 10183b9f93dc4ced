import InterceptorKitConcurrency
import Synchronization

/// The latencies of attempts to one authority in the last 30 to 60 seconds.
///
/// The counts are in buckets of a sixteenth of an octave, so that a percentile is exact to 6 %, in 4 KiB whatever the
/// traffic. Two periods of 30 s are counted, and the older one is dropped as a whole.
final class LatencyWindow: Sendable {
    private static let rotationInterval: Duration = .seconds(30)

    private struct Counts {
        var current = [UInt32](repeating: 0, count: LatencyBuckets.count)
        var previous = [UInt32](repeating: 0, count: LatencyBuckets.count)
        var began = Runtime.Instant(offset: .zero)
        var known: (delay: Duration?, found: Runtime.Instant)?

        mutating func rotate(at instant: Runtime.Instant) {
            let age = began.duration(to: instant)
            guard age >= LatencyWindow.rotationInterval else { return }
            let isExpired = age >= LatencyWindow.rotationInterval * 2
            previous = isExpired ? LatencyBuckets.none : current
            current = LatencyBuckets.none
            began = instant
        }

        func percentile(_ rule: HedgeDelay.Percentile) -> Duration? {
            let total = current.reduce(0) { $0 + Int($1) } + previous.reduce(0) { $0 + Int($1) }
            guard total >= rule.minimumSamples else { return nil }
            let rank = Int((Double(total) * rule.fraction).rounded(.up))
            var seen = 0
            for index in current.indices {
                seen += Int(current[index]) + Int(previous[index])
                if seen >= rank { return max(rule.floor, LatencyBuckets.upperEnd(of: index)) }
            }
            return nil
        }
    }

    private let counts = Lock(Counts())

    func record(_ latency: Duration, at instant: Runtime.Instant) {
        let bucket = LatencyBuckets.index(of: latency)
        counts.withLock { counts in
            counts.rotate(at: instant)
            counts.current[bucket] &+= 1
        }
    }

    /// The percentile, computed again when the last one is too old; `nil` while there are too few samples.
    func delay(_ rule: HedgeDelay.Percentile, at instant: Runtime.Instant) -> Duration? {
        counts.withLock { counts in
            if let known = counts.known, known.found.duration(to: instant) < rule.refresh,
                known.delay != nil
            {
                return known.delay
            }
            counts.rotate(at: instant)
            let delay = counts.percentile(rule)
            counts.known = (delay, instant)
            return delay
        }
    }
}

/// Durations in sixteenths of an octave, from below 0.5 ms to above 8 minutes.
enum LatencyBuckets {
    private static let smallest = 9
    private static let octaves = 20
    private static let parts = 16

    static let count = octaves * parts + 1
    static let none = [UInt32](repeating: 0, count: count)

    static func index(of latency: Duration) -> Int {
        let microseconds = UInt64(max(0, min(latency / .microseconds(1), 1e15)))
        let exponent = 63 - (microseconds | 1).leadingZeroBitCount
        guard exponent >= smallest else { return 0 }
        let part = Int(microseconds >> (exponent - 4)) - parts
        return min(count - 1, (exponent - smallest) * parts + part + 1)
    }

    static func upperEnd(of index: Int) -> Duration {
        let octave = (index - 1) / parts
        guard index > 0 else { return .microseconds(1 << smallest) }
        let part = (index - 1) % parts
        return .microseconds((parts + part + 1) << (smallest + octave - 4))
    }
}
