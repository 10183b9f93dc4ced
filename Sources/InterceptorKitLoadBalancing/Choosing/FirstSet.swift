import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// Lets calls wait for the first endpoints of a source.
final class FirstSet: Sendable {
    private struct State {
        var hasEndpoints = false
        var waiters = WaiterQueue<Waiter<Void, any Error>>()
    }

    private let state = Lock(State())

    func arrive() {
        let waiters = state.withLock { state in
            state.hasEndpoints = true
            return state.waiters.removeAll()
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns when there are endpoints.
    /// - Throws: ``LoadBalancingError`` if there are none before the limit or the call's deadline.
    nonisolated(nonsending) func wait(atMost limit: Duration, _ call: Call) async throws {
        let wait = call.beginWait(for: "the first endpoints")
        defer { wait.end() }
        try Task.checkCancellation()
        let waiter = Waiter<Void, any Error>()
        let joined = state.withLock { $0.hasEndpoints ? nil : $0.waiters.join(waiter) }
        guard let number = joined else { return }
        try await waiter.value(
            until: call.runtime.now.advanced(by: min(limit, call.remaining ?? limit)),
            on: call.runtime,
            "time limit of a wait for the first endpoints"
        ) {
            leave(number, with: CancellationError())
        } onLimit: { [weak self] in
            self?.leave(number, with: LoadBalancingError.noEndpoints)
        }
    }

    private func leave(_ number: Int, with error: any Error) {
        state.withLock { $0.waiters.leave(number) }?.resume(throwing: error)
    }
}
