/// A task that waits for its turn, and goes on once: let in, or with an error.
final class WaitingTask: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Void, any Error>?
        var alarm: Alarm?
        var isOver = false
    }

    private let state = Lock(State())

    /// Waits until another task resumes this one.
    /// - Parameter whenWaiting: Called once it may be resumed; must see to it that it is.
    nonisolated(nonsending) func wait(_ whenWaiting: () -> Void) async throws {
        try await withCheckedThrowingContinuation { continuation in
            state.withLock { $0.continuation = continuation }
            whenWaiting()
        }
    }

    /// Has an alarm put off when the wait is over.
    func limit(by alarm: Alarm) {
        let isOver = state.withLock { state in
            if !state.isOver { state.alarm = alarm }
            return state.isOver
        }
        if isOver { alarm.putOff() }
    }

    /// Lets the task go on; does nothing if it has.
    func resume(with result: Result<Void, any Error> = .success(())) {
        let (continuation, alarm) = state.withLock { state in
            state.isOver = true
            return (state.continuation.take(), state.alarm.take())
        }
        alarm?.putOff()
        continuation?.resume(with: result)
    }
}
