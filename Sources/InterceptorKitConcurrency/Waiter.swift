import Synchronization

/// A task that waits for a value that another task or thread hands over, and goes on exactly once.
///
/// First put the waiter where the code that resumes it finds it, then wait. A value that is handed over
/// between the two is kept, so a task that begins to wait need not look again at what it waits for.
///
/// It goes on exactly once: the lock orders all changes of `state`, which goes from `pending` to `resumed` and
/// never back. `value` stores its continuation in `pending` alone, and `resume` takes it out in the step to
/// `resumed`, so it is resumed once; if that step came first, `value` finds the result. No lock is held while a
/// continuation is resumed or a function of the caller runs.
///
/// What is shared, such as a queue, keeps its own lock, and the code that takes a waiter out of it resumes that
/// waiter. So a permit that was handed to a task is not lost if the task is cancelled at that moment: the
/// cancellation finds no waiter in the queue, and the task goes on with its permit.
package final class Waiter<Value: Sendable, Failure: Error>: Sendable {
    private enum State {
        case pending(CheckedContinuation<Result<Value, Failure>, Never>?)
        case resumed(Result<Value, Failure>)
    }

    private let state = Lock(State.pending(nil))

    package init() {}

    /// Whether the task has gone on, or will at once.
    package var isResumed: Bool {
        state.withLock { if case .resumed = $0 { true } else { false } }
    }

    /// Waits until it is resumed. Only one task may wait.
    /// - Parameter onCancel: Called on the cancelling thread when the task is cancelled, at once if it was
    ///   before. It decides whether the task goes on.
    package nonisolated(nonsending) func value(
        onCancel: @Sendable () -> Void
    ) async throws(Failure) -> Value {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation {
                (continuation: CheckedContinuation<Result<Value, Failure>, Never>) in
                let result = state.withLock { state -> Result<Value, Failure>? in
                    if case .resumed(let result) = state { return result }
                    state = .pending(continuation)
                    return nil
                }
                if let result { continuation.resume(returning: result) }
            }
        } onCancel: {
            onCancel()
        }
        return try result.get()
    }

    /// Lets the task go on; does nothing if it has.
    package func resume(with result: Result<Value, Failure>) {
        let continuation = state.withLock {
            state -> CheckedContinuation<Result<Value, Failure>, Never>? in
            guard case .pending(let continuation) = state else { return nil }
            state = .resumed(result)
            return continuation
        }
        continuation?.resume(returning: result)
    }

    package func resume(returning value: Value) { resume(with: .success(value)) }

    package func resume(throwing error: Failure) { resume(with: .failure(error)) }
}

extension Waiter where Value == Void {
    package func resume() { resume(with: .success(())) }
}

extension Waiter where Failure == any Error {
    /// Waits until it is resumed.
    /// - Throws: The error it is resumed with, or `CancellationError` as soon as the task is cancelled.
    package nonisolated(nonsending) func value() async throws -> Value {
        try await value(onCancel: { resume(throwing: CancellationError()) })
    }
}
