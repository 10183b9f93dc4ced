import InterceptorKitConcurrency
import Synchronization

/// A timer that fires at an instant unless it is cancelled.
///
/// Use it for deadlines, which are nearly always cancelled. A sleeping task for each call would cost several thread
/// switches, so all timers of the live runtime share one sleeping task.
public class DeadlineTimer: @unchecked Sendable {
    // Invariant behind `@unchecked Sendable`: `index` is touched only under the lock of `queue`. Everything else is
    // constant or a lock, and so are the additions of the two subclasses.
    fileprivate let queue: TimerQueue?
    fileprivate final var index: Int?
    private let sleeper = Lock<Task<Void, Never>?>(nil)

    fileprivate init(queue: TimerQueue?) { self.queue = queue }

    /// Creates a timer in the queue of a runtime, if the runtime has one.
    init(on runtime: Runtime) { queue = runtime.timerQueue }

    /// Runs at the instant, at most once.
    func fire() {}

    /// Cancels the timer. Has no effect after the timer fired.
    ///
    /// The release of the last reference doesn't cancel the timer: cancel each timer that you no longer need.
    public func cancel() {
        if let queue { queue.remove(self) } else { sleeper.withLock { $0.take() }?.cancel() }
    }

    /// Fires at an instant of the runtime's clock.
    fileprivate final func sleep(
        until instant: Runtime.Instant,
        on runtime: Runtime,
        _ name: String
    ) {
        let task = runtime.start(name) {
            guard (try? await runtime.sleep(until: instant)) != nil else { return }
            self.fire()
        }
        sleeper.withLock { $0 = task }
    }
}

final class ActionTimer: DeadlineTimer, @unchecked Sendable {
    private let action: Lock<(@Sendable () -> Void)?>

    init(on runtime: Runtime, _ action: @escaping @Sendable () -> Void) {
        self.action = Lock(action)
        super.init(on: runtime)
    }

    init(queue: TimerQueue, _ action: @escaping @Sendable () -> Void) {
        self.action = Lock(action)
        super.init(queue: queue)
    }

    override func fire() { action.withLock { $0.take() }?() }

    override func cancel() {
        action.withLock { $0 = nil }
        super.cancel()
    }
}

extension Runtime {
    /// Runs an action at an instant, on no particular thread, unless the timer is cancelled first.
    ///
    /// If the instant has passed, the action runs at once on another task.
    /// - Parameters:
    ///   - instant: The instant, on the clock of ``now``.
    ///   - name: The purpose, for reports of running tasks.
    ///   - action: The action, which must return at once.
    /// - Returns: The timer; cancel it when you no longer need it.
    public func timer(
        at instant: Instant,
        _ name: String,
        _ action: @escaping @Sendable () -> Void
    ) -> DeadlineTimer {
        let timer = ActionTimer(on: self, action)
        set(timer, at: instant, name)
        return timer
    }

    func set(_ timer: DeadlineTimer, at instant: Instant, _ name: String) {
        if let queue = timer.queue {
            queue.set(timer, at: instant)
        } else {
            timer.sleep(until: instant, on: self, name)
        }
    }
}

/// The timers of a runtime and the one task that sleeps for them.
///
/// A task and a sleep for each call would cost several thread switches, more than everything else in a transport. One
/// task therefore sleeps until the instant that is the earliest when it starts; a timer that is set and cancelled
/// meanwhile costs one place in an array. The task ends when it wakes and no timer is left, so it may sleep on, holding
/// nothing, after the last timer was cancelled.
final class TimerQueue: Sendable {
    private struct Entry {
        let timer: DeadlineTimer
        let instant: Runtime.Instant
        let number: Int
    }

    private struct Contents {
        var entries: [Entry?] = []
        var free: [Int] = []
        var count = 0
        var sleeper: Task<Void, Never>?
        var waking: Runtime.Instant?

        mutating func add(_ timer: DeadlineTimer, at instant: Runtime.Instant) {
            count += 1
            let entry = Entry(timer: timer, instant: instant, number: count)
            if let index = free.popLast() {
                entries[index] = entry
                timer.index = index
            } else {
                timer.index = entries.count
                entries.append(entry)
            }
        }

        mutating func remove(_ timer: DeadlineTimer) {
            guard let index = timer.index else { return }
            timer.index = nil
            entries[index] = nil
            free.append(index)
        }

        mutating func removeDue(at now: Runtime.Instant) -> [Entry] {
            let due = entries.compactMap(\.self).filter { $0.instant <= now }
            for entry in due { remove(entry.timer) }
            // Frees the memory of a peak.
            if free.count == entries.count { (entries, free) = ([], []) }
            return due
        }
    }

    private let now: @Sendable () -> Runtime.Instant
    private let sleep: @Sendable (Runtime.Instant) async throws -> Void
    private let contents = Lock(Contents())

    init(
        now: @escaping @Sendable () -> Runtime.Instant,
        sleep: @escaping @Sendable (Runtime.Instant) async throws -> Void
    ) {
        self.now = now
        self.sleep = sleep
    }

    func set(_ timer: DeadlineTimer, at instant: Runtime.Instant) {
        contents.withLock { contents in
            contents.add(timer, at: instant)
            if let waking = contents.waking, waking <= instant { return }
            contents.sleeper?.cancel()
            wake(at: instant, &contents)
        }
    }

    func remove(_ timer: DeadlineTimer) { contents.withLock { $0.remove(timer) } }

    private func wake(at instant: Runtime.Instant, _ contents: inout Contents) {
        contents.waking = instant
        // Detached, because it serves all calls: the call that sets the first timer lends it neither priority nor
        // task-local values. High priority keeps it from waiting behind other work.
        contents.sleeper = Task.detached(name: "timers", priority: .high) {
            if (try? await self.sleep(instant)) != nil { self.fire(after: instant) }
        }
    }

    private func fire(after waking: Runtime.Instant) {
        let due = contents.withLock { contents -> [Entry] in
            // A timer for an earlier instant has started another sleeper.
            guard contents.waking == waking else { return [] }
            let due = contents.removeDue(at: max(now(), waking))
            contents.waking = nil
            contents.sleeper = nil
            if let next = contents.entries.lazy.compactMap({ $0?.instant }).min() {
                wake(at: next, &contents)
            }
            // If two limits of a call end together, the inner one, set last, fires first because it knows more.
            return due.sorted { $0.number > $1.number }
        }
        for entry in due { entry.timer.fire() }
    }
}
