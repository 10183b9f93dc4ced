public import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitLoopback
import Synchronization

/// A monotonic clock that advances only under a test's control.
///
/// ```swift
/// let clock = VirtualClock()
/// async let reminder: Void = clock.sleep(until: clock.now.advanced(by: .seconds(3_600)))
/// try await clock.waitForSleepers(1)
/// clock.advance(by: .seconds(3_600))  // no real time passes
/// try await reminder
/// ```
///
/// Use it for code that takes a `Clock`, or with ``InterceptorKitCore/Runtime/virtual(clock:seed:)``, outside of a
/// ``Simulation``. Tasks that wake then run on their own threads, in any order. Inside a simulation, use its runtime.
public final class VirtualClock: Clock {
    /// A point on the clock.
    public typealias Instant = Runtime.Instant

    private let state = Lock(TimerQueue())

    /// Creates a clock at its start.
    public init() { LeakRegistry.watch(self) }

    /// The clock's current instant.
    public var now: Instant { state.withLock { $0.now } }

    /// The clock's resolution: an attosecond, like `Duration`.
    public var minimumResolution: Duration {
        Duration(secondsComponent: 0, attosecondsComponent: 1)
    }

    /// The number of tasks that sleep on this clock.
    public var sleeperCount: Int { state.withLock { $0.timers.count } }

    /// Returns when the clock reaches an instant; at once if it has passed.
    /// - Parameters:
    ///   - deadline: The instant.
    ///   - tolerance: Not used: a virtual clock is exact.
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try Task.checkCancellation()
        guard deadline > now else { return }
        try await wait(until: deadline)
    }

    /// Advances by a duration and wakes, in order, every task that is due.
    ///
    /// A task that starts to sleep meanwhile counts from the clock's time at that moment. Time does not go back: a
    /// negative duration wakes no task and changes nothing.
    public func advance(by duration: Duration) { advance(to: now.advanced(by: duration)) }

    /// Advances to an instant and wakes, in order, every task that is due; does nothing if it has passed.
    public func advance(to instant: Instant) {
        while let timer = state.withLock({ $0.takeNext(until: instant) }) {
            timer.sleeper.resume()
        }
        state.withLock { $0.advance(to: instant) }
    }

    /// Advances until no task sleeps any more, without waiting for tasks that wake and later sleep again.
    public func run() {
        while let next = state.withLock({ $0.timers.last?.instant }) { advance(to: next) }
    }

    /// Returns once a number of tasks sleep at the same time.
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public func waitForSleepers(_ count: Int) async throws {
        let task = Waiter<Void, any Error>()
        let (number, satisfied) = state.withLock { state in
            let number = state.watchers.join((count, task))
            return (number, state.takeSatisfiedWatchers())
        }
        for watcher in satisfied { watcher.resume() }
        try await task.value(onCancel: {
            state.withLock { $0.watchers.leave(number) }?.task.resume(throwing: CancellationError())
        })
    }

    /// Sleeps even if the instant is not later than now.
    func wait(until instant: Instant) async throws {
        let sleeper = Waiter<Void, any Error>()
        let (number, satisfied) = state.withLock { state in
            let number = state.nextNumber()
            state.insert(
                TimerQueue.Timer(
                    instant: instant,
                    number: number,
                    owner: .current,
                    task: ConcurrencyRuntime.currentNumber,
                    sleeper: sleeper
                )
            )
            return (number, state.takeSatisfiedWatchers())
        }
        for watcher in satisfied { watcher.resume() }
        try await sleeper.value(onCancel: { cancel((instant, number)) })
    }

    private func cancel(_ key: TimerQueue.Key) {
        state.withLock { $0.remove(key) }?.sleeper.resume(throwing: CancellationError())
    }
}

// The interface for a simulation's loop.
extension VirtualClock {
    /// The sleeping tasks and their instants, the next to wake first.
    var sleepers: [String] {
        state.withLock { state in
            state.timers.reversed().map { timer in
                "\(timer.owner) sleeps until \(timer.instant.offset.formattedSeconds)"
            }
        }
    }

    /// The number of timers that are due and have not fired.
    var dueCount: Int { state.withLock { $0.dueCount } }

    /// Fires one due timer, at a position below ``dueCount``, and returns its task's number.
    func fire(at position: Int) -> UInt64? {
        let timer = state.withLock { $0.takeDue(at: position) }
        timer?.sleeper.resume()
        return timer?.task
    }

    /// Advances to the next timer's instant; `false` if there is no timer.
    func advanceToNextTimer() -> Bool {
        state.withLock { state in
            guard let next = state.timers.last else { return false }
            state.now = max(state.now, next.instant)
            return true
        }
    }
}
