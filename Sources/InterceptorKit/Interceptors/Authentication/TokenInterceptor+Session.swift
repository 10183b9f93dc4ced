extension TokenInterceptor {
    /// Returns the credential that a request would get now, for code that carries it in another way: loaded if it
    /// never was, refreshed first if it is about to expire, by the refresh that all calls share.
    ///
    /// ```swift
    /// let credential = try await session.credential(for: "https://api.example.com/live")
    /// ```
    ///
    /// It goes to this URL's origin alone. After a rejection there, ``refresh(runtime:events:)`` gets another.
    /// - Parameters:
    ///   - url: The URL of the request.
    ///   - call: The call that it is for: its time limit bounds the wait, and its ``Call/credentialUse`` and
    ///     ``Call/credentialName`` decide as for a request. Defaults to a call without settings.
    /// - Returns: `nil` where the request would be sent without: its origin is not among those of the interceptor, the
    ///   call wants another credential, there is none, or the source itself asks during a refresh.
    /// - Throws: What the request would: the source's error, ``TokenError`` if none came in time or the call requires
    ///   one and there is none or only one that has expired, or `CancellationError`.
    public nonisolated(nonsending) func credential(
        for url: HTTP.URL,
        call: Call = Call()
    ) async throws -> Credential? {
        guard isMeant(for: call, to: url) else { return nil }
        return try await cache.attachable(to: call.of(HTTP.Request.self)).credential
    }

    /// The credential that is held now, read at once; see ``CredentialCache/held``.
    public var held: Credential? { cache.held }

    /// Uses a credential from outside from now on; see ``CredentialCache/signIn(with:)``.
    public func signIn(with credential: Credential) async throws {
        try await cache.signIn(with: credential)
    }

    /// Stops using any credential; see ``CredentialCache/signOut()``. Requests are then sent without one.
    public func signOut() async throws { try await cache.signOut() }

    /// Takes over what the source holds now, such as another process's sign-in or sign-out; see
    /// ``CredentialCache/reload()``.
    public func reload() async throws { try await cache.reload() }

    /// Refreshes the credential now, even if it may still be accepted; see
    /// ``CredentialCache/refresh(runtime:events:)``.
    public func refresh(runtime: Runtime = .live, events: (any EventSink)? = nil) async throws {
        try await cache.refresh(runtime: runtime, events: events)
    }
}
