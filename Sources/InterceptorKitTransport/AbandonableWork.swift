import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// Work in a task of its own, which the caller abandons when it is cancelled or the call's deadline passes.
///
/// The work's task is then cancelled, and its result is dropped, even if the work ignores cancellation.
final class AbandonableWork<Value: Sendable>: Sendable {
    private let caller = Waiter<Value, any Error>()
    private let task = Lock<Task<Void, Never>?>(nil)

    /// Runs the work, once, and waits for its end.
    /// - Parameters:
    ///   - name: The name of the task and the timer.
    ///   - late: The error at the call's deadline.
    ///   - work: The work. Its `CancellationError` is not the caller's.
    /// - Throws: `CancellationError` as soon as the caller is cancelled; otherwise the first of the error at the
    ///   deadline, the error of ``end(_:)`` and the error of the work.
    nonisolated(nonsending) func value(
        _ name: String,
        of call: Call,
        late: @escaping @Sendable () -> any Error,
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        start(name, on: call.runtime, work)
        return try await caller.value(until: call.deadline, on: call.runtime, name) {
            end(.failure(CancellationError()))
        } onLimit: {
            self.end(.failure(late()))
        }
    }

    /// Ends the wait of the caller. Only the first end counts; cancelling work that has ended has no effect.
    func end(_ result: Result<Value, any Error>) {
        caller.resume(with: result)
        task.withLock { $0 }?.cancel()
    }

    private func start(
        _ name: String,
        on runtime: Runtime,
        _ work: @escaping @Sendable () async throws -> Value
    ) {
        let task = runtime.start(name) { [self] in
            do { end(.success(try await work())) } catch { end(.failure(error)) }
        }
        self.task.withLock { $0 = task }
        // The caller may have left before the task was stored.
        if caller.isResumed { task.cancel() }
    }
}
