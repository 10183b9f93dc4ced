public import InterceptorKit

extension HTTP.Client {
    /// Starts a long-running operation and waits for its result.
    ///
    /// ```swift
    /// let export = try await api.waitForOperation(.post("/exports", body: try .json(query)))
    /// let file = try await export.decode(Export.self)
    /// ```
    ///
    /// A 202 says by `Operation-Location`, `Azure-AsyncOperation` or `Location` where to ask for the state; the first of
    /// them counts. Where one of the first two or a body has named the place, a later `Location` does not move it: that
    /// is the result's. A result that is answered with 202 is asked for again, and one that is answered with 400 or more
    /// is a failure. Requests for the state wait as long as `Retry-After` says, or else longer and longer. Each is a
    /// call of the client through its whole chain, so a token that expires meanwhile is refreshed, and a retry in the
    /// chain bridges failures.
    ///
    /// Cancelling the task ends the wait at once. It does not end the operation; the server goes on with it.
    /// - Parameters:
    ///   - request: The request that starts the operation, or asks for the state of one that was started.
    ///   - options: How long to wait, and how often to ask.
    ///   - timeout: The longest time for each request until its response's head; defaults to the client's.
    ///   - configure: Changes each call before it starts.
    ///   - state: Returns what a response says, for a service that says it in the body; the body is in memory. Defaults
    ///     to ``HTTP/OperationState/byStatus(_:)``.
    /// - Returns: The response with the result, its body in memory.
    /// - Throws: ``HTTP/OperationError``; an error of the chain, the transport or `state`.
    public func waitForOperation(
        _ request: HTTP.Request,
        options: HTTP.PollingOptions = HTTP.PollingOptions(),
        timeout: Duration? = nil,
        configure: @escaping @Sendable (inout Call) throws -> Void = { _ in },
        state: @escaping @Sendable (_ response: HTTP.Response) async throws -> HTTP.OperationState =
            {
                .byStatus($0)
            }
    ) async throws -> HTTP.Response {
        // In the client's registry, so that `cancelAll()` ends a wait too.
        try await runTransfer {
            var wait = OperationWait(
                client: self,
                request: request,
                options: options,
                timeout: timeout,
                configure: configure,
                state: state
            )
            return try await wait.run()
        }
    }
}
