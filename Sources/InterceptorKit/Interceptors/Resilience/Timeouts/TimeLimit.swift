import InterceptorKitConcurrency
import Synchronization

/// A point in time after which one piece of work is cancelled.
///
/// The work runs in a child task, because a task can be cancelled only as a whole: ending the work must
/// not cancel the caller.
final class TimeLimit: Sendable {
    private enum State {
        case idle
        case running(TaskHandle)
        case over
        case ended
    }

    private let state = Lock(State.idle)

    /// Does the work, cancels it at a point in time, and waits for its end either way.
    /// - Returns: What came of it, and whether its time was over before it had ended.
    static nonisolated(nonsending) func run<Output: Sendable>(
        until instant: Runtime.Instant,
        on runtime: Runtime,
        _ work: @escaping @Sendable () async throws -> Output
    ) async -> (result: Result<Output, any Error>, isOver: Bool) {
        let limit = TimeLimit()
        let timer = runtime.timer(at: instant, "time limit") { limit.ring() }
        defer { timer.cancel() }
        // Half the cost of a task group with one task.
        async let outcome = limit.run(work)
        return await outcome
    }

    private func run<Output: Sendable>(
        _ work: @Sendable () async throws -> Output
    ) async -> (Result<Output, any Error>, Bool) {
        guard begin() else { return (.failure(CancellationError()), true) }
        do {
            let output = try await work()
            return (.success(output), end())
        } catch {
            return (.failure(error), end())
        }
    }

    private func begin() -> Bool {
        let task = TaskHandle.current
        return state.withLock { state in
            guard case .idle = state else { return false }
            state = .running(task)
            return true
        }
    }

    /// Whether the time was over before.
    private func end() -> Bool {
        state.withLock { state in
            if case .over = state { return true }
            state = .ended
            return false
        }
    }

    private func ring() {
        state.withLock { state in
            switch state {
            case .idle:
                state = .over
            case .running(let task):
                state = .over
                // Under the lock, which the work takes before its task ends.
                task.cancel()
            case .over, .ended:
                break
            }
        }
    }
}
