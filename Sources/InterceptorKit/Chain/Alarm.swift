/// Something that happens at a point in time unless it is put off before.
///
/// For those who would otherwise start a task for each call only to let it sleep: a deadline that is
/// nearly always put off. On the live runtime all alarms share one sleeping task.
package final class Alarm: Sendable {
    private struct Contents {
        var action: (@Sendable () -> Void)?
        var remove: (@Sendable () -> Void)?
    }

    private let contents: Lock<Contents>

    init(_ action: @escaping @Sendable () -> Void) { contents = Lock(Contents(action: action)) }

    /// Says how to take it off its clock.
    func onPutOff(_ remove: @escaping @Sendable () -> Void) {
        contents.withLock { $0.remove = remove }
    }

    /// Makes it happen now, if it neither has nor was put off.
    func ring() { contents.withLock { $0.action.take() }?() }

    /// It will not happen any more; does nothing if it has.
    package func putOff() {
        let remove = contents.withLock { contents in
            contents.action = nil
            return contents.remove.take()
        }
        remove?()
    }
}

extension Runtime {
    /// Does something at a point in time, on no particular thread, unless it is put off before.
    /// - Parameters:
    ///   - instant: When.
    ///   - name: Says what it is for, in reports of what still runs.
    ///   - action: What to do; must return at once.
    package func alarm(
        at instant: Instant,
        _ name: String,
        _ action: @escaping @Sendable () -> Void
    ) -> Alarm {
        let alarm = Alarm(action)
        if let alarmClock {
            alarmClock.set(alarm, at: instant)
        } else {
            let task = start(name) {
                guard (try? await sleep(until: instant)) != nil else { return }
                alarm.ring()
            }
            alarm.onPutOff { task.cancel() }
        }
        return alarm
    }
}

/// The alarms of a runtime and the one task that sleeps for them.
///
/// A task and a sleep for each call cost several thread switches, more than all else a transport does.
/// So one task sleeps until the earliest alarm of when it began; alarms set and put off meanwhile are
/// one entry in a table. It ends when it wakes and no alarm is left, and so may sleep on, holding
/// nothing, after the last was put off.
final class AlarmClock: Sendable {
    private struct Entry {
        let alarm: Alarm
        let instant: Runtime.Instant
        let number: Int
    }

    private struct Contents {
        var alarms: [ObjectIdentifier: Entry] = [:]
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

    func set(_ alarm: Alarm, at instant: Runtime.Instant) {
        let key = ObjectIdentifier(alarm)
        alarm.onPutOff { self.contents.withLock { $0.alarms[key] = nil } }
        contents.withLock { contents in
            contents.count += 1
            contents.alarms[key] = Entry(alarm: alarm, instant: instant, number: contents.count)
            if let waking = contents.waking, waking <= instant { return }
            contents.sleeper?.cancel()
            wake(at: instant, &contents)
        }
    }

    private func wake(at instant: Runtime.Instant, _ contents: inout Contents) {
        contents.waking = instant
        contents.sleeper = Task(name: "alarms") {
            if (try? await self.sleep(instant)) != nil { self.ring(after: instant) }
        }
    }

    private func ring(after waking: Runtime.Instant) {
        let due = contents.withLock { contents -> [Alarm] in
            // One that was set for earlier has taken over.
            guard contents.waking == waking else { return [] }
            let now = max(now(), waking)
            let due = contents.alarms.filter { $0.value.instant <= now }
            for key in due.keys { contents.alarms[key] = nil }
            contents.waking = nil
            contents.sleeper = nil
            if let next = contents.alarms.values.map(\.instant).min() { wake(at: next, &contents) }
            // Of two limits of one call that end together the inner one was set last, and knows more.
            return due.values.sorted { $0.number > $1.number }.map(\.alarm)
        }
        for alarm in due { alarm.ring() }
    }
}
