import InterceptorKitConcurrency
import Synchronization

/// An authority's first attempts and further sends in the last slots.
///
/// First attempts count for ten slots, further sends for eleven: in whatever ten slots of time one looks
/// at, what was spent was earned.
final class RetryBudgetCounter: Sendable {
    private static let slots = 10

    private struct Counts {
        let slotLength: Duration
        // Code that comes within the latest slot, as nearly all do, divides nothing.
        var end: Runtime.Instant
        var first = [Int](repeating: 0, count: slots + 1)
        var further = [Int](repeating: 0, count: slots + 1)
        var latest = 0

        var index: Int { latest % first.count }

        init(slotLength: Duration) {
            self.slotLength = slotLength
            end = Runtime.Instant(offset: slotLength)
        }

        // Clocks do not go back, but calls may come to the lock out of order.
        mutating func advance(to instant: Runtime.Instant) {
            guard instant >= end else { return }
            let slot = Int(min(instant.offset / slotLength, 1e15))
            end = Runtime.Instant(offset: slotLength * (slot + 1))
            guard slot > latest else { return }
            for passed in 1...min(slot - latest, first.count) {
                let index = (latest + passed) % first.count
                first[index] = 0
                further[index] = 0
            }
            latest = slot
        }

        /// What is allowed beyond a floor, by how much of the first attempts may be added.
        func balance(_ ratio: Double) -> Double {
            let oldest = (latest + 1) % first.count
            let earned = first.reduce(0, +) - first[oldest]
            return Double(earned) * ratio - Double(further.reduce(0, +))
        }
    }

    private let counts: Lock<Counts>

    /// - Parameter lifetime: How long first attempts count, from 1 s to 60 s.
    init(lifetime: Duration) {
        counts = Lock(Counts(slotLength: lifetime / Self.slots))
    }

    func addFirst(at instant: Runtime.Instant) {
        counts.withLock { counts in
            counts.advance(to: instant)
            counts.first[counts.index] += 1
        }
    }

    /// Takes one if there is one.
    func takeFurther(at instant: Runtime.Instant, floor: Double, ratio: Double) -> Bool {
        counts.withLock { counts in
            counts.advance(to: instant)
            // A hundred-millionth forgives that five times 0.2 may be not quite one.
            guard floor + counts.balance(ratio) + 1e-8 >= 1 else { return false }
            counts.further[counts.index] += 1
            return true
        }
    }

    func balance(at instant: Runtime.Instant, floor: Double, ratio: Double) -> Double {
        counts.withLock { counts in
            counts.advance(to: instant)
            return floor + counts.balance(ratio)
        }
    }
}
