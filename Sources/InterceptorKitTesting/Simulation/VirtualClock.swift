import InterceptorKit

/// A monotonic clock that stands still until it is told to jump to its next timer.
final class VirtualClock: Sendable {
    private struct Timer {
        let instant: Runtime.Instant
        let number: UInt64
        let owner: TaskLabel
        let task: UInt64
        let continuation: CheckedContinuation<Void, any Error>

        func isLater(than other: (instant: Runtime.Instant, number: UInt64)) -> Bool {
            (instant, number) > other
        }
    }

    private struct State {
        var now = Runtime.Instant(offset: .zero)
        var lastNumber: UInt64 = 0
        // The latest first, so that the next one is the cheapest to remove.
        var timers: [Timer] = []

        var dueCount: Int {
            var count = 0
            for timer in timers.reversed() {
                guard timer.instant <= now else { break }
                count += 1
            }
            return count
        }

        mutating func insert(_ timer: Timer) {
            timers.insert(timer, at: position(of: (timer.instant, timer.number)))
        }

        func position(of key: (instant: Runtime.Instant, number: UInt64)) -> Int {
            var low = 0
            var high = timers.count
            while low < high {
                let middle = (low + high) / 2
                if timers[middle].isLater(than: key) { low = middle + 1 } else { high = middle }
            }
            return low
        }

        mutating func remove(_ key: (instant: Runtime.Instant, number: UInt64)) -> Timer? {
            let index = position(of: key)
            guard index < timers.count, timers[index].number == key.number else { return nil }
            return timers.remove(at: index)
        }
    }

    private let state = RunLock(State())

    var now: Runtime.Instant { state.withLock { $0.now } }

    /// Who sleeps and until when, the next to wake first.
    var sleepers: [String] {
        state.withLock { state in
            state.timers.reversed().map { timer in
                "\(timer.owner) sleeps until \(timer.instant.offset.formattedSeconds)"
            }
        }
    }

    func sleep(until instant: Runtime.Instant) async throws {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let timer = Timer(
                    instant: instant,
                    number: number,
                    owner: .current,
                    task: SimulationThread.executor?.running ?? 0,
                    continuation: continuation
                )
                state.withLock { $0.insert(timer) }
                // The handler may have run before there was a timer to remove.
                if Task.isCancelled { cancel((instant, number)) }
            }
        } onCancel: {
            cancel((instant, number))
        }
    }

    private func cancel(_ key: (instant: Runtime.Instant, number: UInt64)) {
        let timer = state.withLock { $0.remove(key) }
        timer?.continuation.resume(throwing: CancellationError())
    }

    /// How many timers are due and have not fired.
    var dueCount: Int { state.withLock { $0.dueCount } }

    /// Fires one due timer, at a position below ``dueCount``, and says whose it was.
    func fire(at position: Int) -> UInt64? {
        let timer: Timer? = state.withLock { state in
            let index = state.timers.count - 1 - position
            // A thread outside the simulation may have cancelled it since it was counted.
            guard index >= 0, state.timers[index].instant <= state.now else { return nil }
            return state.timers.remove(at: index)
        }
        timer?.continuation.resume()
        return timer?.task
    }

    /// Jumps to the next timer's instant; `false` if there is no timer.
    func advanceToNextTimer() -> Bool {
        state.withLock { state in
            guard let next = state.timers.last else { return false }
            state.now = max(state.now, next.instant)
            return true
        }
    }
}
