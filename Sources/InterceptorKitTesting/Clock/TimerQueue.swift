import InterceptorKit
import InterceptorKitConcurrency

/// A clock's timers in the order in which they fire.
struct TimerQueue {
    typealias Key = (instant: Runtime.Instant, number: UInt64)

    struct Timer {
        let instant: Runtime.Instant
        let number: UInt64
        let owner: TaskLabel
        let task: UInt64
        let sleeper: Waiter<Void, any Error>
    }

    var now = Runtime.Instant(offset: .zero)
    private var lastNumber: UInt64 = 0
    // The latest comes first, so that the next one is the cheapest to remove.
    private(set) var timers: [Timer] = []
    var watchers = WaiterQueue<(count: Int, task: Waiter<Void, any Error>)>()

    var dueCount: Int {
        var count = 0
        for timer in timers.reversed() {
            guard timer.instant <= now else { break }
            count += 1
        }
        return count
    }

    mutating func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    mutating func insert(_ timer: Timer) {
        timers.insert(timer, at: position(of: (timer.instant, timer.number)))
    }

    mutating func remove(_ key: Key) -> Timer? {
        let index = position(of: key)
        guard index < timers.count, timers[index].number == key.number else { return nil }
        return timers.remove(at: index)
    }

    mutating func takeDue(at position: Int) -> Timer? {
        let index = timers.count - 1 - position
        // A thread outside the simulation may have cancelled the timer since it was counted.
        guard index >= 0, timers[index].instant <= now else { return nil }
        return timers.remove(at: index)
    }

    /// Advances to the next timer that is due by an instant, if there is one.
    mutating func takeNext(until instant: Runtime.Instant) -> Timer? {
        guard let next = timers.last, next.instant <= instant else { return nil }
        now = max(now, next.instant)
        return timers.removeLast()
    }

    mutating func advance(to instant: Runtime.Instant) { now = max(now, instant) }

    mutating func takeSatisfiedWatchers() -> [Waiter<Void, any Error>] {
        let count = timers.count
        return watchers.removeAll { watcher in watcher.count <= count }.map(\.task)
    }

    private func position(of key: Key) -> Int {
        var low = 0
        var high = timers.count
        while low < high {
            let middle = (low + high) / 2
            let isLater = (timers[middle].instant, timers[middle].number) > key
            if isLater { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
