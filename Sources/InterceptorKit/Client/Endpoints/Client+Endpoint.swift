extension HTTP.Client {
    /// Calls an endpoint and returns the decoded response.
    /// - Parameters:
    ///   - endpoint: The endpoint to call.
    ///   - timeout: The longest time until the response's head. Defaults to the client's timeout.
    ///   - configure: Changes the call before it starts, after the endpoint's own changes.
    /// - Throws: As ``send(_:timeout:configure:)-(HTTP.Request,_,_)`` and ``HTTP/ResponseDecoder/decode(_:)``; a
    ///   ``HTTP/ContentError`` if the value cannot be encoded or the status is not accepted.
    public func call<Output>(
        _ endpoint: HTTP.Endpoint<Output>,
        timeout: Duration? = nil,
        configure: (inout Call) throws -> Void = { _ in }
    ) async throws -> Output {
        try await call(endpoint, timeout: timeout, configure: configure, on: #isolation)
    }

    private func call<Output>(
        _ endpoint: HTTP.Endpoint<Output>,
        timeout: Duration?,
        configure: (inout Call) throws -> Void,
        on isolation: isolated (any Actor)?
    ) async throws -> Output {
        let request = try await endpoint.request(on: runtime)
        let response = try await send(request, timeout: timeout) { call in
            try endpoint.configure(&call)
            try configure(&call)
        }
        return try await endpoint.output(of: response)
    }

    /// Calls an endpoint, returns at once, and passes the result to a closure.
    ///
    /// ```swift
    /// api.start(.order(7)) { @MainActor result in
    ///     label.text = (try? result.get())?.name
    /// }
    /// ```
    ///
    /// The closure is called exactly once: with a `CancellationError` if the call was cancelled or ``cancelAll()`` was
    /// called before the call was over. It runs on the actor that it declares, such as the main actor above, and
    /// otherwise on the global concurrent executor.
    ///
    /// The client owns the call: the call continues even if you don't keep the handle.
    /// - Parameters:
    ///   - endpoint: The endpoint to call.
    ///   - timeout: The longest time until the response's head. Defaults to the client's timeout.
    ///   - configure: Changes the call before it starts, after the endpoint's own changes.
    ///   - completion: Receives the output or error of ``call(_:timeout:configure:)``.
    /// - Returns: A handle that can cancel the call.
    @discardableResult
    public func start<Output: Sendable>(
        _ endpoint: HTTP.Endpoint<Output>,
        timeout: Duration? = nil,
        configure: @escaping @Sendable (inout Call) throws -> Void = { _ in },
        completion: @escaping @isolated(any) @Sendable (Result<Output, any Error>) -> Void
    ) -> HTTP.StartedCall {
        started("call of an endpoint", completion) { isolation in
            // Decodes on the closure's actor, so that types isolated to it can be decoded.
            try await call(endpoint, timeout: timeout, configure: configure, on: isolation)
        }
    }

    /// Sends a request, returns at once, and passes the response to a closure.
    ///
    /// The closure is called exactly once, as with an endpoint.
    /// - Parameters:
    ///   - request: The request to send.
    ///   - timeout: The longest time until the response's head. Defaults to the client's timeout.
    ///   - configure: Changes the call before it starts.
    ///   - completion: Receives the response or error of ``send(_:timeout:configure:)-(HTTP.Request,_,_)``.
    /// - Returns: A handle that can cancel the call.
    @discardableResult
    public func start(
        _ request: HTTP.Request,
        timeout: Duration? = nil,
        configure: @escaping @Sendable (inout Call) throws -> Void = { _ in },
        completion: @escaping @isolated(any) @Sendable (Result<HTTP.Response, any Error>) -> Void
    ) -> HTTP.StartedCall {
        started("call of a request", completion) { _ in
            try await send(request, timeout: timeout, configure: configure)
        }
    }

    private func started<Output: Sendable>(
        _ name: String,
        _ completion: @escaping @isolated(any) @Sendable (Result<Output, any Error>) -> Void,
        _ work: @escaping @Sendable (_ isolation: (any Actor)?) async throws -> Output
    ) -> HTTP.StartedCall {
        let cancellations = calls.cancellations
        let task = runtime.start(name) {
            let result: Result<Output, any Error>
            do {
                let output = try await calls.runStarted(since: cancellations) {
                    try await work(completion.isolation)
                }
                result = .success(output)
            } catch {
                result = .failure(error)
            }
            await completion(result)
        }
        return HTTP.StartedCall(task: task)
    }
}

extension HTTP {
    /// A call that runs without being awaited.
    public struct StartedCall: Sendable {
        let task: Task<Void, Never>

        /// Cancels the call: its closure gets a `CancellationError`, unless the call is over.
        public func cancel() { task.cancel() }

        /// Waits until the closure has returned.
        public func end() async { await task.value }
    }
}
