extension Call {
    @TaskLocal private static var current: Call?

    /// The call that the current task is serving; `nil` outside of ``serve(_:)``.
    ///
    /// Use it in code that cannot get the call as a parameter. A `ServedCallInterceptor` makes a client's
    /// calls part of it.
    public static var served: Call? { current }

    /// Runs work that serves this call, with ``served`` set to it.
    ///
    /// Use it in servers that handle requests through a chain.
    public nonisolated(nonsending) func serve<Result: Sendable>(
        _ work: @Sendable () async throws -> Result
    ) async rethrows -> Result {
        try await Call.$current.withValue(self) { try await work() }
    }
}
