import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// Work in a task of its own, which its caller leaves at once when it is cancelled or the call's deadline passes,
/// though the work may heed neither.
///
/// The task is cancelled then, and what it comes to is dropped.
final class AbandonableWork<Value: Sendable>: Sendable {
    private let caller = Waiter<Value, any Error>()
    private let task = Lock<Task<Void, Never>?>(nil)

    /// Does the work, once, and waits for its end.
    /// - Parameters:
    ///   - name: What the task and the timer are for.
    ///   - late: The error at the call's deadline.
    ///   - work: The work. Its `CancellationError` is not the caller's.
    /// - Throws: `CancellationError` as soon as the caller is cancelled, and otherwise what comes first: the error
    ///   at the deadline, that of ``end(_:)`` or that of the work.
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

    /// Ends it for its caller. The first end counts; the work's own makes cancelling it mean nothing.
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
        // Its end may have come before the task was known.
        if caller.isResumed { task.cancel() }
    }
}
