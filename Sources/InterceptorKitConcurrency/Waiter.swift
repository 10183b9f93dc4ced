import Synchronization

/// A task that waits for a value from another task or thread, and is resumed exactly once.
///
/// First put the waiter where the code that resumes it finds it, then wait. A value that arrives between the two is
/// kept, so the task need not check again what it waits for.
///
/// Why it is resumed exactly once: the lock orders all changes of `state`, which goes from `pending` to `resumed` and
/// never back. `value` stores its continuation in `pending` only, and `resume` takes it out in the step to `resumed`;
/// if that step came first, `value` finds the result. No lock is held while a continuation is resumed or the caller's
/// code runs.
///
/// A shared structure, such as a queue, keeps its own lock, and the code that takes a waiter out of it resumes that
/// waiter. So a task that is cancelled just when it receives a permit does not lose the permit: the cancellation finds
/// no waiter in the queue, and the task continues with its permit.
package final class Waiter<Value: Sendable, Failure: Error>: Sendable {
    private enum State {
        case pending(CheckedContinuation<Result<Value, Failure>, Never>?)
        case resumed(Result<Value, Failure>)
    }

    private let state = Lock(State.pending(nil))

    package init() {}

    /// Whether the task has been resumed, or need not wait.
    package var isResumed: Bool {
        state.withLock { if case .resumed = $0 { true } else { false } }
    }

    /// Waits for the value. Only one task may wait.
    /// - Parameter onCancel: Called on the cancelling thread when the task is cancelled, and at once if it already was.
    ///   Decides whether the task is resumed.
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

    /// Resumes the task; does nothing if it was already resumed.
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
    /// Waits for the value.
    /// - Throws: The error that the waiter is resumed with, or `CancellationError` as soon as the task is cancelled.
    package nonisolated(nonsending) func value() async throws -> Value {
        try await value(onCancel: { resume(throwing: CancellationError()) })
    }
}
