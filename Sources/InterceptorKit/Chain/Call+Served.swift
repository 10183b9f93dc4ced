extension Call {
    @TaskLocal private static var current: Call?

    /// The call that the current task serves, for those that cannot be handed it; `nil` where none is
    /// served.
    ///
    /// A `ServedCallInterceptor` makes a client's calls part of it.
    public static var served: Call? { current }

    /// Does work in answer to this call: it is ``served`` within. For what answers requests through a
    /// chain.
    public nonisolated(nonsending) func serve<Result: Sendable>(
        _ work: @Sendable () async throws -> Result
    ) async rethrows -> Result {
        try await Call.$current.withValue(self) { try await work() }
    }
}
