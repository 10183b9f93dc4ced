import InterceptorKitConcurrency
import Synchronization

/// A timer that fires at an instant unless it is cancelled.
///
/// Use it for deadlines, which are nearly always cancelled: a sleeping task for each call costs several
/// thread switches. On the live runtime, all timers share one sleeping task.
public final class DeadlineTimer: Sendable {
    private struct Contents {
        var action: (@Sendable () -> Void)?
        var remove: (@Sendable () -> Void)?
    }

    private let contents: Lock<Contents>

    init(_ action: @escaping @Sendable () -> Void) { contents = Lock(Contents(action: action)) }

    /// Sets how to remove it from its queue.
    func onCancel(_ remove: @escaping @Sendable () -> Void) {
        contents.withLock { $0.remove = remove }
    }

    /// Runs the action now, unless the timer has fired or was cancelled.
    func fire() { contents.withLock { $0.action.take() }?() }

    /// Cancels the timer. Has no effect after it fired.
    ///
    /// Releasing the last reference doesn't cancel it: cancel each timer that you no longer need.
    public func cancel() {
        let remove = contents.withLock { contents in
            contents.action = nil
            return contents.remove.take()
        }
        remove?()
    }
}

extension Runtime {
    /// Runs an action at an instant, on no particular thread, unless the timer is cancelled before.
    ///
    /// If the instant has passed, the action runs at once on another task.
    /// - Parameters:
    ///   - instant: The instant, on the clock of ``now``.
    ///   - name: The purpose, for reports of what still runs.
    ///   - action: The action, which must return at once.
    /// - Returns: The timer; cancel it when you no longer need it.
    public func timer(
        at instant: Instant,
        _ name: String,
        _ action: @escaping @Sendable () -> Void
    ) -> DeadlineTimer {
        let timer = DeadlineTimer(action)
        if let timerQueue {
            timerQueue.set(timer, at: instant)
        } else {
            let task = start(name) {
                guard (try? await sleep(until: instant)) != nil else { return }
                timer.fire()
            }
            timer.onCancel { task.cancel() }
        }
        return timer
    }
}

/// The timers of a runtime and the one task that sleeps for them.
///
/// A task and a sleep for each call cost several thread switches, more than everything else in a transport.
/// So one task sleeps until the earliest timer at its start; timers set and cancelled meanwhile are one entry
/// in a table. It ends when it wakes and no timer is left, so it may sleep on, holding nothing, after the
/// last timer was cancelled.
final class TimerQueue: Sendable {
    private struct Entry {
        let timer: DeadlineTimer
        let instant: Runtime.Instant
        let number: Int
    }

    private struct Contents {
        var timers: [ObjectIdentifier: Entry] = [:]
        var count = 0
        var sleeper: Task<Void, Never>?
        var waking: Runtime.Instant?
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
        let key = ObjectIdentifier(timer)
        timer.onCancel { self.contents.withLock { $0.timers[key] = nil } }
        contents.withLock { contents in
            contents.count += 1
            contents.timers[key] = Entry(timer: timer, instant: instant, number: contents.count)
            if let waking = contents.waking, waking <= instant { return }
            contents.sleeper?.cancel()
            wake(at: instant, &contents)
        }
    }

    private func wake(at instant: Runtime.Instant, _ contents: inout Contents) {
        contents.waking = instant
        contents.sleeper = Task(name: "timers") {
            if (try? await self.sleep(instant)) != nil { self.fire(after: instant) }
        }
    }

    private func fire(after waking: Runtime.Instant) {
        let due = contents.withLock { contents -> [DeadlineTimer] in
            // One that was set for earlier has taken over.
            guard contents.waking == waking else { return [] }
            let now = max(now(), waking)
            let due = contents.timers.filter { $0.value.instant <= now }
            for key in due.keys { contents.timers[key] = nil }
            contents.waking = nil
            contents.sleeper = nil
            if let next = contents.timers.values.map(\.instant).min() { wake(at: next, &contents) }
            // If two limits of a call end together, the inner one, which was set last, knows more.
            return due.values.sorted { $0.number > $1.number }.map(\.timer)
        }
        for timer in due { timer.fire() }
    }
}
