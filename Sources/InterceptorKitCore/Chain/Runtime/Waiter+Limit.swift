package import InterceptorKitConcurrency

extension Waiter {
    /// Waits until it is resumed, and no longer than the function at an instant allows.
    ///
    /// The timer may fire while the task is resumed: as with a cancellation, what comes second finds nothing to
    /// resume. None is left when this returns.
    /// - Parameters:
    ///   - end: The instant; `nil` for no limit.
    ///   - name: The limit's purpose, for reports of what still runs.
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
