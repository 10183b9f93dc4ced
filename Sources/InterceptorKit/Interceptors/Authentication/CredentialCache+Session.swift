extension CredentialCache {
    /// Uses a credential from outside from now on, for example after a sign-in.
    ///
    /// The result of a refresh under way is discarded, also by a `StoredCredentialSource`, and calls that wait for
    /// it continue with this credential. Returns when the source has stored it, or when a later sign-in or
    /// sign-out made that needless; the source hears of them one at a time, in the order they came.
    /// - Throws: ``TokenError`` if the credential is invalid, which changes nothing; the source's error if
    ///   it can't be stored, although it is used.
    public func signIn(with credential: Credential) async throws {
        try await replace(with: credential)
    }

    /// Stops using any credential.
    ///
    /// From now on there is none, and the source is not asked until the next sign-in. The result of a refresh
    /// under way is discarded, also by a `StoredCredentialSource`; what waits for it and cannot do without a
    /// credential fails with ``TokenError/Code-swift.struct/signedOut``, and a request that a server rejected
    /// gets its rejection. Returns when the source has removed the credential.
    /// - Throws: The source's error if it can't remove the credential.
    public func signOut() async throws { try await replace(with: nil) }

    /// Refreshes the credential now, even if it may still be accepted, for example after its permissions
    /// changed.
    ///
    /// A refresh that is already under way isn't enough, because it may have its response already. This waits
    /// for a refresh that begins after the call, and shares it with other callers.
    /// - Parameters:
    ///   - runtime: The clock and random source. Defaults to the live runtime.
    ///   - events: The sink for its events. Defaults to none.
    /// - Throws: ``TokenError``, or the source's error.
    public func refresh(runtime: Runtime = .live, events: (any EventSink)? = nil) async throws {
        let call = Call(runtime: runtime, events: events).of(HTTP.Request.self)
        let cached = try await fresh(for: call)
        if cached.credential == nil { throw absenceError }
    }
}
