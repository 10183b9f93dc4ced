package import InterceptorKitConcurrency

extension Waiter {
    /// Waits until the waiter is resumed, and calls a function if that has not happened at an instant.
    ///
    /// The timer may fire while the task is resumed: as with a cancellation, the second finds nothing to resume. When
    /// this method returns, no timer is left.
    /// - Parameters:
    ///   - end: The instant; `nil` for no limit.
    ///   - name: The limit's purpose, for reports of running tasks.
    ///   - onCancel: As for ``value(onCancel:)``.
    ///   - onLimit: Called at the instant. It decides whether the task goes on.
    package nonisolated(nonsending) func value(
        until end: Runtime.Instant?,
        on runtime: Runtime,
        _ name: String,
        onCancel: @Sendable () -> Void,
        onLimit: @escaping @Sendable () -> Void
    ) async throws(Failure) -> Value {
        let timer = end.map { runtime.timer(at: $0, name, onLimit) }
        defer { timer?.cancel() }
        return try await value(onCancel: onCancel)
    }
}
