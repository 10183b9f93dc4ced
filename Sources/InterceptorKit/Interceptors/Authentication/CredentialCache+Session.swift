import InterceptorKitConcurrency

extension CredentialCache {
    /// The credential that is held now, read at once: the source is not asked, and the credential may have expired.
    ///
    /// `nil` before the source was first asked, after a sign-out and at the end of the session. It is for what shows
    /// the session, such as a user's name; requests get theirs from ``credential(for:after:)``.
    public var held: Credential? { read { $0.cached?.credential } }

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
    /// From now on there is none, and the source is not asked until the next sign-in or ``reload()``. The result of a
    /// refresh under way is discarded, also by a `StoredCredentialSource`; what waits for it and cannot do without a
    /// credential fails with ``TokenError/Code-swift.struct/signedOut``, and a request that a server rejected
    /// gets its rejection. Returns when the source has removed the credential.
    /// - Throws: The source's error if it can't remove the credential.
    public func signOut() async throws { try await replace(with: nil) }

    /// Asks the source again what it holds, and takes that over: another process's sign-in or sign-out, which this
    /// one may not have seen.
    ///
    /// A credential that differs from the current one takes its place as that of a sign-in does, also after a
    /// sign-out here or the end of the session; the source is not told of it. If the source has none, there is none
    /// any more. Of the same credential, what is attached and the refresh token are taken over. Nothing changes if
    /// someone signs in or out, or a refresh ends, while the source is asked.
    ///
    /// Call it where other processes may have been at work, for example when an app comes to the foreground, or
    /// from what tells of changes in a store. The source is asked once it has stored a sign-in that came before, also
    /// beside a refresh, and limits its own time.
    /// - Throws: The source's error, or ``TokenError`` if its credential is invalid; nothing changes then.
    public func reload() async throws {
        // Not before a sign-in under way is stored, which the source would not know of.
        try await replacements.withLock {
            let (version, session, untold) = read { ($0.cached?.version, $0.epoch, $0.untold) }
            // One that waits for its turn came after this, and is newer than what the source holds.
            guard untold == 0 else { return }
            let loaded = try await scoped { try await source.load() }
            try loaded?.validate()
            change { state in
                guard state.cached?.version == version, state.epoch == session else { return nil }
                return state.reload(loaded)
            }
        }
    }

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

extension CredentialCache {
    /// What the call's request is sent with.
    /// - Throws: Why there is none, or none that is accepted, if the call requires one.
    nonisolated(nonsending) func attachable(
        to call: Call
    ) async throws -> CredentialState.Cached {
        guard call.credentialUse == .required else { return try await current(for: call) }
        // If there is none, someone may have signed in since, in another process.
        let cached = try await current(for: call, .accepted)
        if cached.credential == nil { throw absenceError }
        guard cached.isAccepted(at: call.runtime.date) else { throw TokenError.expiredCredential }
        return cached
    }

    /// Replaces the credential, possibly with none, and lets the source save or remove it.
    ///
    /// A source that is slow to save cannot undo a later sign-out: it hears of that after it has saved.
    nonisolated(nonsending) func replace(with credential: Credential?) async throws {
        try credential?.validate()
        var session = 0
        change { state in
            let cached = state.replace(with: credential)
            session = state.epoch
            state.noteUntold(1)
            return cached
        }
        try await replacements.withLock {
            defer {
                change { state in
                    state.noteUntold(-1)
                    return nil
                }
            }
            // What came later may have had its turn already.
            guard read(\.epoch) == session else { return }
            try await source.replace(with: credential)
        }
    }
}
