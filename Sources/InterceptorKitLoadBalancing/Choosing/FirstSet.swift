import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// Lets calls wait until a source has given the first endpoints.
final class FirstSet: Sendable {
    private struct Waiter {
        let continuation: CheckedContinuation<Void, any Error>
        var timer: DeadlineTimer?

        func resume(with result: Result<Void, any Error>) {
            timer?.cancel()
            continuation.resume(with: result)
        }
    }

    private struct State {
        var isThere = false
        var waiters: [UInt64: Waiter] = [:]
    }

    private let state = Lock(State())

    /// Lets all calls go on.
    func arrive() {
        let waiters = state.withLock { state in
            state.isThere = true
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume(with: .success(())) }
    }

    /// Returns when there are endpoints.
    /// - Throws: ``LoadBalancingError`` if there are none after the limit, or the call's deadline.
    nonisolated(nonsending) func wait(atMost limit: Duration, _ call: Call) async throws {
        let id = call.runtime.identifier()
        let wait = call.beginWait(for: "the first endpoints", from: "LoadBalancingInterceptor")
        defer { wait.end() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                enter(
                    id,
                    Waiter(continuation: continuation),
                    min(limit, call.remaining ?? limit),
                    call
                )
            }
        } onCancel: {
            leave(id, with: CancellationError())
        }
    }

    private func enter(_ id: UInt64, _ waiter: Waiter, _ limit: Duration, _ call: Call) {
        let result: Result<Void, any Error>? = state.withLock { state in
            if Task.isCancelled { return .failure(CancellationError()) }
            if state.isThere { return .success(()) }
            state.waiters[id] = waiter
            return nil
        }
        if let result { return waiter.resume(with: result) }
        let timer = call.runtime.timer(
            at: call.runtime.now.advanced(by: limit),
            "time limit of a wait for the first endpoints"
        ) { [weak self] in
            self?.leave(id, with: LoadBalancingError.noEndpoints)
        }
        let isGone = state.withLock { state in
            state.waiters[id]?.timer = timer
            return state.waiters[id] == nil
        }
        if isGone { timer.cancel() }
    }

    private func leave(_ id: UInt64, with error: any Error) {
        let waiter = state.withLock { $0.waiters.removeValue(forKey: id) }
        waiter?.resume(with: .failure(error))
    }
}
