extension TokenInterceptor {
    /// Returns the credential that a request would get now, for code that sends it in another way. It is loaded first
    /// if it never was, and refreshed first if it is about to expire, by the refresh that all calls share.
    ///
    /// ```swift
    /// let credential = try await session.credential(for: "https://api.example.com/live")
    /// ```
    ///
    /// Send it only to the origin of this URL. If the server rejects it, ``refresh(runtime:events:)`` gets another one.
    /// - Parameters:
    ///   - url: The URL of the request.
    ///   - call: The call that needs the credential. Its deadline limits the wait, and its ``Call/credentialUse`` and
    ///     ``Call/credentialName`` decide as for a request. Defaults to a call without settings.
    /// - Returns: `nil` if the request would be sent without a credential: the interceptor does not have its origin,
    ///   the call wants another credential, there is none, or the source itself asks during a refresh.
    /// - Throws: The errors of the request: the source's error, `CancellationError`, or ``TokenError`` if no credential
    ///   came in time, or if the call requires one and there is none or only an expired one.
    public nonisolated(nonsending) func credential(
        for url: HTTP.URL,
        call: Call = Call()
    ) async throws -> Credential? {
        guard attachesCredential(for: call, to: url) else { return nil }
        return try await cache.attachable(to: call.of(HTTP.Request.self)).credential
    }

    /// The credential in the cache, read without asking the source; see ``CredentialCache/held``.
    public var held: Credential? { cache.held }

    /// Uses a given credential from now on; see ``CredentialCache/signIn(with:)``.
    public func signIn(with credential: Credential) async throws {
        try await cache.signIn(with: credential)
    }

    /// Stops using any credential; see ``CredentialCache/signOut()``. Requests are then sent without one.
    public func signOut() async throws { try await cache.signOut() }

    /// Attaches another value to the current credential, without a sign-in; see ``CredentialCache/attach(_:)``.
    public func attach(_ value: some Encodable) async throws { try await cache.attach(value) }

    /// Takes over the source's credential, such as another process's sign-in or sign-out; see
    /// ``CredentialCache/reload()``.
    public func reload() async throws { try await cache.reload() }

    /// Refreshes the credential now, even if it may still be accepted; see
    /// ``CredentialCache/refresh(runtime:events:)``.
    public func refresh(runtime: Runtime = .live, events: (any EventSink)? = nil) async throws {
        try await cache.refresh(runtime: runtime, events: events)
    }
}
