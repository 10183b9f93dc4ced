extension HTTP.Client {
    /// Follows one redirect that was not followed, and releases its response.
    ///
    /// ```swift
    /// var response = try await api.send(.get("/orders/7")) { $0.followsRedirects = false }
    /// while let next = try await api.follow(response, configure: { $0.followsRedirects = false }) {
    ///     print(response.status, next.request?.url.path ?? "")
    ///     response = next
    /// }
    /// ```
    ///
    /// The call knows the redirects that led to it (``Call/redirects``), so that a signature is withheld from another
    /// origin as if the redirect had been followed at once.
    /// - Parameters:
    ///   - response: The response with the redirect.
    ///   - timeout: The ``Call/totalTimeout`` of this call. Defaults to the client's.
    ///   - configure: Changes the call before it starts. By default, it follows further redirects.
    /// - Returns: The response to the ``HTTP/Response/nextRequest``; `nil` if there is none.
    /// - Throws: As ``send(_:timeout:configure:)-(HTTP.Request,_,_)``.
    public func follow(
        _ response: HTTP.Response,
        timeout: Duration? = nil,
        configure: (inout Call) throws -> Void = { _ in }
    ) async throws -> HTTP.Response? {
        guard let step = response.stopped else { return nil }
        await response.discard(on: runtime)
        return try await send(step.request, timeout: timeout) { call in
            call.redirects = response.redirects + [step.redirect]
            try configure(&call)
        }
    }
}
