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

    struct Waiter {
        let condition: WaitCondition
        let deadline: ContinuousClock.Instant
        let timeout: Duration
        let continuation: CheckedContinuation<Void, any Error>
    }

    struct State {
        var facts = Facts()
        var waiters: [Int: Waiter] = [:]
        var nextWaiter = 0
        // Waits cancelled before they were entered.
        var cancelled: Set<Int> = []
    }

    let state = Lock(State())

    var facts: Facts { state.withLock { $0.facts } }

    /// Changes the facts and resumes the waiters for them.
    func update<Result: Sendable>(_ change: (inout Facts) -> Result) -> Result {
        var satisfied: [Waiter] = []
        let result = state.withLock { state in
            let result = change(&state.facts)
            for (id, waiter) in state.waiters where waiter.condition.holds(state.facts) {
                satisfied.append(waiter)
                state.waiters[id] = nil
            }
            return result
        }
        for waiter in satisfied { waiter.continuation.resume() }
        return result
    }

    /// Fails the waits whose time has come and returns when the next one's comes.
    func expireWaits(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        var expired: [(Waiter, Facts)] = []
        let next = state.withLock { state in
            for (id, waiter) in state.waiters where waiter.deadline <= now {
                expired.append((waiter, state.facts))
                state.waiters[id] = nil
            }
            return state.waiters.values.map(\.deadline).min()
        }
        for (waiter, facts) in expired {
            waiter.continuation.resume(throwing: waiter.condition.timedOut(waiter.timeout, facts))
        }
        return next
    }

    /// Notes that the server has stopped, and fails the waits.
    func finish() {
        let (waiters, facts) = state.withLock { state in
            state.facts.isStopped = true
            state.facts.openConnections = 0
            defer { state.waiters = [:] }
            return (Array(state.waiters.values), state.facts)
        }
        for waiter in waiters {
            if waiter.condition.holds(facts) {
                waiter.continuation.resume()
            } else {
                waiter.continuation.resume(throwing: waiter.condition.stopped(facts))
            }
        }
    }
}
