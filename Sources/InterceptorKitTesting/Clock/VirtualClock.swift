public import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// A monotonic clock that stands still until it is told to go on.
///
/// ```swift
/// let clock = VirtualClock()
/// async let reminder: Void = clock.sleep(until: clock.now.advanced(by: .seconds(3_600)))
/// try await clock.waitForSleepers(1)
/// clock.advance(by: .seconds(3_600))  // no real time passes
/// try await reminder
/// ```
///
/// For code that takes a `Clock`, or a runtime made by
/// ``InterceptorKitCore/Runtime/virtual(clock:seed:)``, without a ``Simulation`` around it. Tasks that
/// wake then run on their own threads, in any order. Inside a simulation use its runtime.
public final class VirtualClock: Clock {
    /// A point on the clock.
    public typealias Instant = Runtime.Instant

    private let state = Lock(TimerQueue())

    /// Creates a clock that stands at its start.
    public init() { LeakLedger.watch(self) }

    /// The clock's present.
    public var now: Instant { state.withLock { $0.now } }

    /// The shortest time that the clock can tell: an attosecond, as `Duration`.
    public var minimumResolution: Duration {
        Duration(secondsComponent: 0, attosecondsComponent: 1)
    }

    /// How many tasks sleep now.
    public var sleeperCount: Int { state.withLock { $0.timers.count } }

    /// Returns when the clock reaches a point in time; at once if it has passed.
    /// - Parameters:
    ///   - deadline: The point in time.
    ///   - tolerance: Not used: a virtual clock is exact.
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try Task.checkCancellation()
        guard deadline > now else { return }
        try await wait(until: deadline)
    }

    /// Goes on by a duration and wakes, in order, everybody whose time has come.
    ///
    /// Who starts to sleep meanwhile counts from where the clock then stands. Time does not go back:
    /// a negative duration wakes nobody and changes nothing.
    public func advance(by duration: Duration) { advance(to: now.advanced(by: duration)) }

    /// Goes on to a point in time and wakes, in order, everybody whose time has come; does nothing
    /// if it has passed.
    public func advance(to instant: Instant) {
        while let timer = state.withLock({ $0.takeNext(until: instant) }) {
            timer.continuation.resume()
        }
        state.withLock { $0.advance(to: instant) }
    }

    /// Goes on until nobody sleeps any more.
    ///
    /// Who is woken and sleeps again only later is not waited for.
    public func run() {
        while let next = state.withLock({ $0.timers.last?.instant }) { advance(to: next) }
    }

    /// Returns once a number of tasks sleep at the same time.
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public func waitForSleepers(_ count: Int) async throws {
        let number = state.withLock { $0.nextNumber() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let satisfied = state.withLock { state in
                    state.watchers.append((number, count, continuation))
                    return state.takeSatisfiedWatchers()
                }
                for watcher in satisfied { watcher.resume() }
                // The handler may have run before there was a watcher to remove.
                if Task.isCancelled { cancelWatcher(number) }
            }
        } onCancel: {
            cancelWatcher(number)
        }
    }

    private func cancelWatcher(_ number: UInt64) {
        let watcher = state.withLock { $0.takeWatcher(number) }
        watcher?.resume(throwing: CancellationError())
    }

    /// Sleeps also if the instant is not later than now.
    func wait(until instant: Instant) async throws {
        let number = state.withLock { $0.nextNumber() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let timer = TimerQueue.Timer(
                    instant: instant,
                    number: number,
                    owner: .current,
                    task: ConcurrencyRuntime.currentNumber,
                    continuation: continuation
                )
                let satisfied = state.withLock { state in
                    state.insert(timer)
                    return state.takeSatisfiedWatchers()
                }
                for watcher in satisfied { watcher.resume() }
                // The handler may have run before there was a timer to remove.
                if Task.isCancelled { cancel((instant, number)) }
            }
        } onCancel: {
            cancel((instant, number))
        }
    }

    private func cancel(_ key: TimerQueue.Key) {
        let timer = state.withLock { $0.remove(key) }
        timer?.continuation.resume(throwing: CancellationError())
    }
}

// What a simulation's loop drives a clock by.
extension VirtualClock {
    /// Who sleeps and until when, the next to wake first.
    var sleepers: [String] {
        state.withLock { state in
            state.timers.reversed().map { timer in
                "\(timer.owner) sleeps until \(timer.instant.offset.formattedSeconds)"
            }
        }
    }

    /// How many timers are due and have not fired.
    var dueCount: Int { state.withLock { $0.dueCount } }

    /// Fires one due timer, at a position below ``dueCount``, and says whose it was.
    func fire(at position: Int) -> UInt64? {
        let timer = state.withLock { $0.takeDue(at: position) }
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
