#if Redis
import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// A task that waits for one value, and is resumed once.
final class RedisWaiter<Value: Sendable>: Sendable {
    private enum State {
        case idle
        case waiting(CheckedContinuation<Value, any Error>)
        case over(Result<Value, any Error>)
        case resumed
    }

    private let state = Lock(State.idle)

    /// Whether the task has been resumed, or will not wait.
    var isOver: Bool {
        state.withLock { state in
            switch state {
            case .over, .resumed: true
            case .idle, .waiting: false
            }
        }
    }

    /// Waits until the waiter is resumed or the task is cancelled.
    nonisolated(nonsending) func value(on runtime: Runtime, _ what: String) async throws -> Value {
        let wait = runtime.beginWait("waits for \(what)")
        defer { wait?.end() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result = state.withLock { state -> Result<Value, any Error>? in
                    guard case .over(let result) = state else {
                        state = .waiting(continuation)
                        return nil
                    }
                    state = .resumed
                    return result
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            resume(with: .failure(CancellationError()))
        }
    }

    /// Resumes the task; does nothing if it was resumed before.
    func resume(with result: Result<Value, any Error>) {
        let continuation = state.withLock { state -> CheckedContinuation<Value, any Error>? in
            switch state {
            case .idle:
                state = .over(result)
                return nil
            case .waiting(let continuation):
                state = .resumed
                return continuation
            case .over, .resumed:
                return nil
            }
        }
        continuation?.resume(with: result)
    }
}
#endif
