import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// The events of a server, and the waiters for more.
final class ServerLog: Sendable {
    struct Facts {
        var requests: [LoopbackServer.Request] = []
        var requestCount = 0
        var connectionCount = 0
        var openConnections = 0
        var receivedBytes = 0
        var isStopped = false
    }

    private struct Wait {
        let condition: WaitCondition
        let deadline: ContinuousClock.Instant
        let timeout: Duration
        let task: Waiter<Void, any Error>
    }

    private struct State {
        var facts = Facts()
        var waits = WaiterQueue<Wait>()
    }

    private let state = Lock(State())

    var facts: Facts { state.withLock { $0.facts } }

    /// Changes the facts and resumes the waiters for them.
    func update<Result: Sendable>(_ change: (inout Facts) -> Result) -> Result {
        let (result, satisfied) = state.withLock { state in
            let result = change(&state.facts)
            let facts = state.facts
            return (result, state.waits.removeAll { wait in wait.condition.holds(facts) })
        }
        for wait in satisfied { wait.task.resume() }
        return result
    }

    /// Begins a wait.
    /// - Parameter deadline: The end of the timeout.
    /// - Returns: The number for ``leave(_:)``; `nil` if the condition holds already.
    /// - Throws: ``TestKitError`` if the server has stopped.
    func join(
        _ task: Waiter<Void, any Error>,
        for condition: WaitCondition,
        until deadline: ContinuousClock.Instant,
        _ timeout: Duration
    ) throws -> Int? {
        let wait = Wait(condition: condition, deadline: deadline, timeout: timeout, task: task)
        return try state.withLock { state throws in
            if condition.holds(state.facts) { return nil }
            if state.facts.isStopped { throw condition.stopped(state.facts) }
            return state.waits.join(wait)
        }
    }

    /// Ends a wait because its task is cancelled.
    func leave(_ number: Int) {
        state.withLock { $0.waits.leave(number) }?.task.resume(throwing: CancellationError())
    }

    /// Fails the waits that have expired and returns the deadline of the next.
    func expireWaits(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        let (expired, facts, next) = state.withLock { state in
            var next: ContinuousClock.Instant?
            let expired = state.waits.removeAll { wait in
                if wait.deadline <= now { return true }
                next = min(next ?? wait.deadline, wait.deadline)
                return false
            }
            return (expired, state.facts, next)
        }
        for wait in expired {
            wait.task.resume(throwing: wait.condition.timedOut(wait.timeout, facts))
        }
        return next
    }

    /// Records that the server has stopped, and fails the waits.
    func finish() {
        let (waits, facts) = state.withLock { state in
            state.facts.isStopped = true
            state.facts.openConnections = 0
            return (state.waits.removeAll(), state.facts)
        }
        for wait in waits {
            if wait.condition.holds(facts) {
                wait.task.resume()
            } else {
                wait.task.resume(throwing: wait.condition.stopped(facts))
            }
        }
    }
}
