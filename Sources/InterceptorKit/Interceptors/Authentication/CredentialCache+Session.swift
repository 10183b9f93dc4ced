import InterceptorKitConcurrency

extension CredentialCache {
    /// The credential in the cache, which may have expired. Reading it does not ask the source.
    ///
    /// `nil` before the source was first asked, after a sign-out and after the end of the session. It is for code that
    /// shows the session, such as the user's name; requests get their credential from ``credential(for:after:rejectedBy:)``.
    public var held: Credential? { read { $0.cached?.credential } }

    /// Uses a given credential from now on, for example after a sign-in.
    ///
    /// The result of a refresh under way is discarded, also by a `StoredCredentialSource`, and calls that wait for it
    /// continue with this credential. Returns when the source has stored the credential, or when a later sign-in or
    /// sign-out made that needless. The source gets one sign-in or sign-out at a time, in the order they came.
    /// - Throws: ``TokenError`` if the credential is invalid, which changes nothing; the source's error if it cannot
    ///   store the credential, which is used nevertheless.
    public func signIn(with credential: Credential) async throws {
        try await replace(with: credential)
    }

    /// Stops using any credential.
    ///
    /// The source is not asked again until the next sign-in or ``reload()``. The result of a refresh under way is
    /// discarded, also by a `StoredCredentialSource`. A waiting call that requires a credential fails with
    /// ``TokenError/Code-swift.struct/signedOut``; a waiting request that a server rejected gets that rejection.
    /// Returns when the source has removed the credential.
    /// - Throws: The source's error if it cannot remove the credential.
    public func signOut() async throws { try await replace(with: nil) }

    /// Attaches another value to the current credential, without a sign-in.
    ///
    /// Requests and a refresh under way go on; the refreshed credential has this attachment too. The source stores it,
    /// as a `StoredCredentialSource` does. If someone signs in or out meanwhile, nothing is attached to the new
    /// credential.
    /// - Parameter value: The value to attach, in place of any earlier one.
    /// - Throws: ``TokenError`` if there is no credential or the value cannot be written as JSON, which changes nothing;
    ///   the source's error if it cannot store the value, which is attached nevertheless.
    public func attach(_ value: some Encodable) async throws {
        let (held, session) = read { ($0.cached?.credential, $0.epoch) }
        guard let held else { throw absenceError }
        guard let attachment = try held.attaching(value).attachment else { return }
        change { state in
            if state.epoch == session { state.attach(attachment) }
            return nil
        }
        try await replacements.withLock {
            guard read(\.epoch) == session else { return }
            try await source.attach(attachment)
        }
    }

    /// Loads the source's credential again, to take over a sign-in or sign-out of another process.
    ///
    /// A credential that differs from the current one replaces it as a sign-in does, also after a sign-out here or the
    /// end of the session, but the source is not told. If the source has none, the cache has none either. If the
    /// credential is the same, its attachment and refresh token are taken over. Nothing changes if a sign-in, sign-out
    /// or refresh completes while the source loads.
    ///
    /// Call it when other processes may have changed the credential, for example when an app comes to the foreground or
    /// a store reports a change. The load waits until the source has stored an earlier sign-in, may run beside a
    /// refresh, and has no time limit but the source's own.
    /// - Throws: The source's error, or ``TokenError`` if its credential is invalid; nothing changes then.
    public func reload() async throws {
        // A sign-in that is still being stored is unknown to the source.
        try await replacements.withLock {
            let (version, session, pending) = read {
                ($0.cached?.version, $0.epoch, $0.pendingReplacements)
            }
            // A waiting sign-in or sign-out is newer than the source's credential.
            guard pending == 0 else { return }
            let loaded = try await scoped { try await source.load() }
            try loaded?.validate()
            change { state in
                guard state.cached?.version == version, state.epoch == session else { return nil }
                return state.reload(loaded)
            }
        }
    }

    /// Refreshes the credential now, even if it may still be accepted, for example after its permissions changed.
    ///
    /// Waits for a refresh that begins after the call, since an earlier one may have its response. Callers share it.
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
    /// Returns the credential to send the call's request with, if there is one and it takes no wait.
    func attachableAtOnce(to call: Call) -> CredentialState.Cached? {
        guard call.credentialUse == .required else { return lookUp(.usable, call) }
        guard let cached = lookUp(.accepted, call), cached.credential != nil,
            cached.isAccepted(at: call.runtime.date)
        else { return nil }
        return cached
    }

    /// Returns the credential to send the call's request with.
    /// - Throws: If the call requires a credential, the reason why there is none, or none that is accepted.
    nonisolated(nonsending) func attachable(
        to call: Call
    ) async throws -> CredentialState.Cached {
        guard call.credentialUse == .required else { return try await current(for: call) }
        // If there is none, another process may have signed in since.
        let cached = try await current(for: call, .accepted)
        if cached.credential == nil { throw absenceError }
        guard cached.isAccepted(at: call.runtime.date) else { throw TokenError.expiredCredential }
        return cached
    }

    /// Replaces the credential, possibly with none, and lets the source save or remove it.
    ///
    /// The source gets a later sign-out only after a slow save has ended, so that the save cannot undo it.
    nonisolated(nonsending) func replace(with credential: Credential?) async throws {
        try credential?.validate()
        var session = 0
        change { state in
            let cached = state.replace(with: credential)
            session = state.epoch
            state.addPendingReplacements(1)
            return cached
        }
        try await replacements.withLock {
            defer {
                change { state in
                    state.addPendingReplacements(-1)
                    return nil
                }
            }
            // A later sign-in or sign-out may have had its turn already.
            guard read(\.epoch) == session else { return }
            try await source.replace(with: credential)
        }
    }
}
