/// The number and results of recent calls.
///
/// The window consists of slots, and a slot leaves as a whole when its beginning is as old as the window. Nothing older
/// than the window counts, and younger calls count except those of up to one slot's length.
package struct SlidingWindowCounter: Sendable {
    package struct Count: Sendable, Hashable {
        package var calls: Int
        package var failures: Int
        package var slowCalls: Int

        package init(calls: Int = 0, failures: Int = 0, slowCalls: Int = 0) {
            self.calls = calls
            self.failures = failures
            self.slowCalls = slowCalls
        }
    }

    private let slotLength: Duration
    private var slots: [Count]
    private var current = 0
    private var currentEnd: Runtime.Instant?
    private var sum = Count()

    /// - Parameters:
    ///   - window: The age up to which calls count; more than zero.
    ///   - slots: The number of parts of the window; at least one.
    package init(window: Duration, slots: Int = 10) {
        slotLength = window / slots
        self.slots = Array(repeating: Count(), count: slots)
    }

    /// Returns the counts at a time. A time earlier than one used before counts as the later one.
    package mutating func count(at now: Runtime.Instant) -> Count {
        advance(to: now)
        return sum
    }

    /// Returns the counts at a time, without advancing the window.
    func peekedCount(at now: Runtime.Instant) -> Count {
        var copy = self
        return copy.count(at: now)
    }

    package mutating func add(_ count: Count, at now: Runtime.Instant) {
        advance(to: now)
        slots[current].add(count)
        sum.add(count)
    }

    package mutating func removeAll() {
        for index in slots.indices { slots[index] = Count() }
        sum = Count()
    }

    private mutating func advance(to now: Runtime.Instant) {
        guard let end = currentEnd else {
            currentEnd = now.advanced(by: slotLength)
            return
        }
        guard now >= end else { return }
        let passed = end.duration(to: now) / slotLength
        guard passed < Double(slots.count) else {
            removeAll()
            currentEnd = now.advanced(by: slotLength)
            return
        }
        for _ in 0...Int(passed) {
            current = (current + 1) % slots.count
            sum.subtract(slots[current])
            slots[current] = Count()
        }
        currentEnd = end.advanced(by: slotLength * (Int(passed) + 1))
    }
}

extension SlidingWindowCounter.Count {
    fileprivate mutating func add(_ other: Self) {
        calls += other.calls
        failures += other.failures
        slowCalls += other.slowCalls
    }

    fileprivate mutating func subtract(_ other: Self) {
        calls -= other.calls
        failures -= other.failures
        slowCalls -= other.slowCalls
    }
}
