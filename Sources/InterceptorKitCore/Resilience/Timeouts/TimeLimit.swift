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

    /// Proceeds on the caller's executor, cancels that at a point in time, and waits for its end either way.
    /// - Returns: Its outcome, and whether its time was over before it had ended.
    static nonisolated(nonsending) func proceed<Input: Interceptable>(
        _ chain: InterceptorChain<Input>,
        call: Call,
        until instant: Runtime.Instant
    ) async -> (result: Result<Input.Output, any Error>, isOver: Bool) {
        let limit = TimeLimit()
        let timer = call.runtime.timer(at: instant, "time limit") { limit.ring() }
        defer { timer.cancel() }
        let isolation = #isolation
        // Half the cost of a task group with one task.
        async let outcome = limit.proceed(chain, call: call, on: isolation)
        return await outcome
    }

    // No closure, since one that is made here runs on the global executor.
    private func proceed<Input: Interceptable>(
        _ chain: InterceptorChain<Input>,
        call: Call,
        on isolation: isolated (any Actor)?
    ) async -> (Result<Input.Output, any Error>, Bool) {
        guard begin() else { return (.failure(CancellationError()), true) }
        do {
            let output = try await chain.proceed(chain.input, call: call)
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
