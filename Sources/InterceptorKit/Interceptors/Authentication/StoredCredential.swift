/// A source whose credentials outlive the process.
///
/// It begins with what the store holds, keeps what the source renews and what someone signs in with,
/// and forgets it at a sign-out. A failed renewal changes nothing that is kept.
///
/// Where several processes share the store, one renews at a time, and the others take over what it got
/// instead of using the same refresh token a second time, which many servers answer by ending the
/// session (RFC 9700 section 4.14.2). A store that is a ``RefreshTokenJournal`` too is told of each
/// refresh token before it is sent.
public final class StoredCredential: CredentialSource {
    private struct State {
        /// What the calls use, as far as known here; whoever renews another one comes too late.
        var credential: Credential?
        /// What this process saw last in the store: anything else is another's.
        var version: CredentialRecord.Version?
        /// How often someone signed in or out.
        var session = 0

        var use: Use { Use(credential: credential, session: session) }
    }

    /// What is used, and in which session: tells who comes too late.
    private struct Use {
        var credential: Credential?
        var session: Int

        func isSame(as other: Use) -> Bool {
            guard session == other.session else { return false }
            return switch (credential, other.credential) {
            case (nil, nil): true
            case (let credential?, let other?): credential.isSame(as: other)
            default: false
            }
        }
    }

    private let store: any CredentialStore
    private let source: any CredentialSource
    private let onSaveFailure: (@Sendable (any Error) -> Void)?
    private let state = Lock(State())
    // Of this process; other processes are kept out by the store.
    private let turns = Turns()

    /// Creates a source.
    /// - Parameters:
    ///   - store: Where credentials are kept.
    ///   - source: Renews them, and loads the first if the store is empty.
    ///   - onSaveFailure: Told why a credential could not be kept. It is used all the same, and the
    ///     next one is saved in its place. Defaults to nothing.
    public init(
        in store: some CredentialStore,
        renewedBy source: some CredentialSource,
        onSaveFailure: (@Sendable (any Error) -> Void)? = nil
    ) {
        self.store = store
        if let journal = store as? any RefreshTokenJournal {
            self.source = JournaledSource(source: source, journal: journal)
        } else {
            self.source = source
        }
        self.onSaveFailure = onSaveFailure
    }

    public func load() async throws -> Credential? {
        let nothing = Use(credential: nil, session: state.withLock(\.session))
        if let record = try await turns.take({ try await store.load() }) {
            return take(record, insteadOf: nothing)
        }
        guard let first = try await source.load() else { return nil }
        return try await keep(first, insteadOf: nothing, over: nil)
    }

    public func refresh(_ rejected: Credential?) async throws -> Credential? {
        let old = Use(credential: rejected, session: state.withLock(\.session))
        return try await store.withLock { [self] in
            let record = try await turns.take { try await store.load() }
            let (isCurrent, seen) = state.withLock { ($0.use.isSame(as: old), $0.version) }
            // Signed out meanwhile, here or in another process: there is nothing to renew any more.
            guard isCurrent, record != nil || seen == nil else { return nil }
            if let record, record.version != seen { return take(record, insteadOf: old) }
            let renewed: Credential?
            do {
                renewed = try await source.refresh(rejected)
            } catch let error as CredentialStoreError where error.code == .superseded {
                // Another process signed in or out before the token was sent: what is there now counts.
                return try await turns.take { try await store.load() }
                    .map { take($0, insteadOf: old) }
            }
            guard let fresh = renewed else { return nil }
            if (try? fresh.validate()) == nil {
                // Not worth keeping, but for what it brought along to renew the old one with.
                guard let renewable = rejected?.renewable(as: fresh) else { return fresh }
                _ = try await keep(renewable, insteadOf: old, over: record?.version)
                return fresh
            }
            return try await keep(fresh, insteadOf: old, over: record?.version)
        }
    }

    public func replace(with credential: Credential?) async throws {
        let use = state.withLock { state in
            state = State(credential: credential, session: state.session + 1)
            return state.use
        }
        try await turns.take {
            guard let credential else {
                try await store.clear()
                return
            }
            // Another process may save in between, but not for ever.
            while state.withLock({ $0.use.isSame(as: use) }) {
                let version = try await store.load()?.version
                if let saved = try await store.save(credential, over: version) {
                    state.withLock { if $0.use.isSame(as: use) { $0.version = saved } }
                    return
                }
            }
        }
    }

    private func keep(
        _ credential: Credential,
        insteadOf old: Use,
        over version: CredentialRecord.Version?
    ) async throws -> Credential? {
        try await turns.take {
            guard state.withLock({ $0.use.isSame(as: old) }) else { return nil }
            do {
                if let saved = try await store.save(credential, over: version) {
                    return take(CredentialRecord(credential, version: saved), insteadOf: old)
                }
            } catch {
                onSaveFailure?(error)
                state.withLock { if $0.use.isSame(as: old) { $0.credential = credential } }
                return credential
            }
            // Another process signed in or out in between: what is there now counts.
            return try await store.load().map { take($0, insteadOf: old) }
        }
    }

    private func take(_ record: CredentialRecord, insteadOf old: Use) -> Credential {
        state.withLock { state in
            guard state.use.isSame(as: old) else { return }
            state.credential = record.credential
            state.version = record.version
        }
        return record.credential
    }
}
