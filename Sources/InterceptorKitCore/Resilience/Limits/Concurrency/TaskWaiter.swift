import InterceptorKitConcurrency
import Synchronization

/// A task that waits for its turn, and goes on once: let in, or with an error.
final class TaskWaiter: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Void, any Error>?
        var timer: DeadlineTimer?
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

    /// Has a timer cancelled when the wait is over.
    func limit(by timer: DeadlineTimer) {
        let isOver = state.withLock { state in
            if !state.isOver { state.timer = timer }
            return state.isOver
        }
        if isOver { timer.cancel() }
    }

    /// Lets the task go on; does nothing if it has.
    func resume(with result: Result<Void, any Error> = .success(())) {
        let (continuation, timer) = state.withLock { state in
            state.isOver = true
            return (state.continuation.take(), state.timer.take())
        }
        timer?.cancel()
        continuation?.resume(with: result)
    }
}
