import InterceptorKit
import InterceptorKitConcurrency

extension LoopbackServer {
    /// Returns when this many requests have been received since the start.
    /// - Parameters:
    ///   - count: The number of requests.
    ///   - timeout: The longest wait. Defaults to 10 s.
    /// - Throws: ``TestKitError`` after the timeout or if the server stops first, `CancellationError` if the
    ///   task is cancelled.
    public func waitForRequests(_ count: Int, timeout: Duration = .seconds(10)) async throws {
        try await wait(for: .requests(count), timeout)
    }

    /// Returns when exactly this many connections are open.
    /// - Parameters:
    ///   - count: The number of connections; 0 to wait until every client has closed.
    ///   - timeout: The longest wait. Defaults to 10 s.
    /// - Throws: ``TestKitError`` after the timeout or if the server stops first, `CancellationError` if the
    ///   task is cancelled.
    public func waitForOpenConnections(
        _ count: Int,
        timeout: Duration = .seconds(10)
    ) async throws {
        try await wait(for: .openConnections(count), timeout)
    }

    /// Returns when this many bytes have been received since the start, including heads, whether or not requests are
    /// complete.
    /// - Parameters:
    ///   - count: The number of bytes.
    ///   - timeout: The longest wait. Defaults to 10 s.
    /// - Throws: ``TestKitError`` after the timeout or if the server stops first, `CancellationError` if the
    ///   task is cancelled.
    public func waitForReceivedBytes(_ count: Int, timeout: Duration = .seconds(10)) async throws {
        try await wait(for: .receivedBytes(count), timeout)
    }

    private func wait(for condition: WaitCondition, _ timeout: Duration) async throws {
        try SettingCheck(of: "LoopbackServer")
            .notNegative("timeout of the wait for \(condition.wanted)", timeout)
        try Task.checkCancellation()
        let task = Waiter<Void, any Error>()
        let deadline = ContinuousClock.now + timeout
        guard let number = try log.join(task, for: condition, until: deadline, timeout) else {
            return
        }
        inbox.post(.alarm)
        try await task.value(onCancel: { log.leave(number) })
    }
}
