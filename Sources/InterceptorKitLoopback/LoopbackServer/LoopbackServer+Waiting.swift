import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

extension LoopbackServer {
    /// Returns when this many requests have been received since the start.
    /// - Parameters:
    ///   - count: The number of requests.
    ///   - timeout: The longest wait. Defaults to 30 s.
    /// - Throws: ``LoopbackServerError`` after the timeout or if the server stops first,
    ///   `CancellationError` if the task is cancelled.
    public func waitForRequests(_ count: Int, timeout: Duration = .seconds(10)) async throws {
        try await wait(for: .requests(count), timeout)
    }

    /// Returns when exactly this many connections are open.
    /// - Parameters:
    ///   - count: The number of connections; 0 to wait until every client has closed.
    ///   - timeout: The longest wait. Defaults to 30 s.
    /// - Throws: ``LoopbackServerError`` after the timeout or if the server stops first,
    ///   `CancellationError` if the task is cancelled.
    public func waitForOpenConnections(
        _ count: Int,
        timeout: Duration = .seconds(10)
    ) async throws {
        try await wait(for: .openConnections(count), timeout)
    }

    /// Returns when this many bytes have been received since the start, including heads, whether or not
    /// requests are complete.
    /// - Parameters:
    ///   - count: The number of bytes.
    ///   - timeout: The longest wait. Defaults to 30 s.
    /// - Throws: ``LoopbackServerError`` after the timeout or if the server stops first,
    ///   `CancellationError` if the task is cancelled.
    public func waitForReceivedBytes(_ count: Int, timeout: Duration = .seconds(10)) async throws {
        try await wait(for: .receivedBytes(count), timeout)
    }

    private func wait(for condition: WaitCondition, _ timeout: Duration) async throws {
        try SettingCheck(of: "LoopbackServer")
            .notNegative("timeout of the wait for \(condition.wanted)", timeout)
        let id = log.state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                enter(id, condition, timeout, continuation)
            }
        } onCancel: {
            log.cancelWait(id)
        }
    }

    private func enter(
        _ id: Int,
        _ condition: WaitCondition,
        _ timeout: Duration,
        _ continuation: CheckedContinuation<Void, any Error>
    ) {
        let deadline = ContinuousClock.now + timeout
        let result: Result<Void, any Error>? = log.state.withLock { state in
            if state.cancelled.remove(id) != nil { return .failure(CancellationError()) }
            if condition.holds(state.facts) { return .success(()) }
            if state.facts.isStopped { return .failure(condition.stopped(state.facts)) }
            state.waiters[id] = ServerLog.Waiter(
                condition: condition,
                deadline: deadline,
                timeout: timeout,
                continuation: continuation
            )
            return nil
        }
        guard let result else { return inbox.post(.alarm) }
        continuation.resume(with: result)
    }
}

extension ServerLog {
    fileprivate func cancelWait(_ id: Int) {
        let waiter = state.withLock { state in
            let waiter = state.waiters.removeValue(forKey: id)
            if waiter == nil { state.cancelled.insert(id) }
            return waiter
        }
        waiter?.continuation.resume(throwing: CancellationError())
    }
}
