public import InterceptorKit

extension HTTP.Client {
    /// Starts a long-running operation and waits for its result.
    ///
    /// ```swift
    /// let export = try await api.waitForOperation(.post("/exports", body: try .json(query)))
    /// let file = try await export.decode(Export.self)
    /// ```
    ///
    /// A 202 names the monitor, the URL of the operation's state, in `Operation-Location`, `Azure-AsyncOperation` or
    /// `Location`, in this order. Once one of the first two or a body has named the monitor, a later `Location` is the
    /// URL of the result. If the result's own status is 202, the result is requested again; a status of 400 or more is
    /// a failure. The waits between requests are those of the server's `Retry-After`, or grow. Each request is a call
    /// of the client through its whole chain: a token that expires is refreshed, and a retry in the chain handles
    /// failures.
    ///
    /// Cancelling the task ends the wait at once, but not the operation on the server.
    /// - Parameters:
    /// - request: The request that starts the operation, or gets the state of a started one.
    ///   - options: The limits and the waits.
    ///   - timeout: The longest time for each request until the head of its response. Defaults to the client's.
    ///   - configure: Changes each call before it starts.
    ///   - state: Returns the state in a response, for a service that reports it in the body; the body is in memory.
    ///     Defaults to ``HTTP/OperationState/byStatus(_:)``.
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
