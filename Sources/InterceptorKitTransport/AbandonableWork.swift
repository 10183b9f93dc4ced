import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// Work in a task of its own, which its caller leaves at once when it is cancelled or the call's deadline passes,
/// though the work may heed neither.
///
/// The task is cancelled then, and what it comes to is dropped.
final class AbandonableWork<Value: Sendable>: Sendable {
    private struct Contents {
        var caller: CheckedContinuation<Value, any Error>?
        var result: Result<Value, any Error>?
        var task: Task<Void, Never>?
    }

    private let contents = Lock(Contents())

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
        let timer = call.deadline.map { deadline in
            call.runtime.timer(at: deadline, name) { self.end(.failure(late())) }
        }
        defer { timer?.cancel() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { caller in
                let result = contents.withLock { contents in
                    if contents.result == nil { contents.caller = caller }
                    return contents.result
                }
                if let result { caller.resume(with: result) }
            }
        } onCancel: {
            end(.failure(CancellationError()))
        }
    }

    /// Ends it for its caller. The first end counts; the work's own makes cancelling it mean nothing.
    func end(_ result: Result<Value, any Error>) {
        let (caller, task) = contents.withLock { contents in
            guard contents.result == nil else {
                return (nil as CheckedContinuation<Value, any Error>?, nil as Task<Void, Never>?)
            }
            contents.result = result
            return (contents.caller.take(), contents.task)
        }
        caller?.resume(with: result)
        task?.cancel()
    }

    private func start(
        _ name: String,
        on runtime: Runtime,
        _ work: @escaping @Sendable () async throws -> Value
    ) {
        let task = runtime.start(name) { [self] in
            do { end(.success(try await work())) } catch { end(.failure(error)) }
        }
        let isOver = contents.withLock { contents in
            contents.task = task
            return contents.result != nil
        }
        if isOver { task.cancel() }
    }
}
