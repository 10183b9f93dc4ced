public import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A source whose credentials are stored and outlive the process.
///
/// It starts with the stored credential, saves each refreshed or signed-in one, and removes it at a sign-out. A failed
/// refresh does not change the store.
///
/// If several processes share the store, one refreshes at a time, and the others use its result. If they sent the same
/// refresh token again, many servers would end the session (RFC 9700 section 4.14.2). A store that is also a
/// ``RefreshTokenJournal`` records each refresh token before it is sent.
///
/// A refresh token that the server no longer accepts is not sent again: calls fail with
/// ``CredentialStoreError/Code-swift.struct/signInRequired`` until someone signs in, in any process. The
/// ``CredentialStoreError/cause`` is the source's error, such as an ``OAuthError`` with `invalid_grant`. Both errors
/// end the session (``CredentialStoreError/endsSession``).
public final class StoredCredentialSource: CredentialSource {
    private struct State {
        /// The newest credential known to this process.
        var credential: Credential?
        /// The stored version that the credential has or is to replace. Any other version is from another process.
        var version: CredentialRecord.Version?
        /// Whether saving the credential failed.
        var isUnsaved = false
        /// The error with which the server refused further refreshes.
        var refusal: (any Error)?
        /// The number of sign-ins and sign-outs in this process. Results of earlier sessions are discarded.
        var session: Int

        func holds(_ other: Credential) -> Bool { credential?.isSame(as: other) ?? false }
    }

    private let store: any CredentialStore
    private let source: any CredentialSource
    private let runtime: Runtime
    private let onSaveFailure: (@Sendable (any Error) -> Void)?
    private let state = Lock(State(session: 0))
    // Excludes callers in this process; the store's lock excludes other processes.
    private let mutex = AsyncMutex()

    /// Creates a source.
    /// - Parameters:
    ///   - store: The store of the credentials.
    ///   - source: The source that refreshes the credentials, and loads the first one if the store is empty.
    ///   - runtime: The clock. Defaults to the live runtime.
    ///   - onSaveFailure: Receives the error if a credential could not be saved. The credential is used anyway and
    ///     saved later: after 1 s, doubling to 60 s, and before the next refresh. Defaults to none.
    public init(
        in store: some CredentialStore,
        refreshedBy source: some CredentialSource,
        runtime: Runtime = .live,
        onSaveFailure: (@Sendable (any Error) -> Void)? = nil
    ) {
        self.store = store
        if let journal = store as? any RefreshTokenJournal {
            self.source = JournaledSource(source: source, journal: journal)
        } else {
            self.source = source
        }
        self.runtime = runtime
        self.onSaveFailure = onSaveFailure
    }

    public func load() async throws -> Credential? {
        let session = state.withLock(\.session)
        guard let known = try await mutex.withLock({ try await update(session) }) else {
            return nil
        }
        if let credential = known.credential { return credential }
        // If several processes find an empty store, only one requests the first credential.
        return try await store.withLock { [self] in
            guard let known = try await mutex.withLock({ try await update(session) }) else {
                return nil
            }
            if let credential = known.credential { return credential }
            guard let first = try await source.load() else { return nil }
            return try await keep(first, over: known.version, session)
        }
    }

    public func refresh(_ rejected: Credential?) async throws -> Credential? {
        try await refresh(rejected, RefreshContext(call: Call(runtime: runtime)))
    }

    /// Returns what the wrapped source finds in the response.
    public func need(in response: HTTP.Response, of call: Call) -> CredentialNeed? {
        source.need(in: response, of: call)
    }

    public func refresh(
        _ rejected: Credential?,
        _ context: RefreshContext
    ) async throws -> Credential? {
        let session = state.withLock(\.session)
        return try await store.withLock { [self] in
            guard let known = try await mutex.withLock({ try await update(session) }) else {
                return nil
            }
            switch (known.credential, rejected) {
            // Signed out: there is nothing to refresh.
            case (nil, _?): return nil
            case (let newest?, nil): return newest.markedFromAnotherProcess
            case (let newest?, let rejected?) where !newest.isSame(as: rejected):
                return newest.markedFromAnotherProcess
            default: return try await refresh(known, context)
            }
        }
    }

    /// Stores another attachment, after a refresh that may be under way.
    /// - Throws: The store's error; the attachment is saved later then. Without a change, a ``CredentialStoreError``:
    ///   ``CredentialStoreError/Code-swift.struct/superseded`` if another process has stored a credential, which may be
    ///   another user's, and ``CredentialStoreError/Code-swift.struct/refreshOutcomeUnknown`` from a journal.
    public func attach(_ attachment: Data) async throws {
        let session = state.withLock(\.session)
        try await store.withLock { [self] in
            try await mutex.withLock {
                let mine = state.withLock(\.credential)
                guard let known = try await update(session), var credential = known.credential
                else { return }
                guard mine?.isSame(as: credential) ?? false else {
                    throw CredentialStoreError.superseded
                }
                credential.attachment = attachment
                // Saving removes the note of a used refresh token, which must stay.
                let journal = store as? any RefreshTokenJournal
                let digest = credential.refreshToken.map { HashAlgorithm.sha256.hash($0.utf8) }
                if let digest { try await journal?.recordUse(of: digest) }
                do {
                    guard let saved = try await store.save(credential, over: known.version) else {
                        if let digest { try await journal?.withdrawUse(of: digest) }
                        throw CredentialStoreError.superseded
                    }
                    change(session) { state in
                        state.credential = credential
                        state.version = saved
                    }
                } catch let error as CredentialStoreError where error.code == .superseded {
                    throw error
                } catch {
                    if let digest { try? await journal?.withdrawUse(of: digest) }
                    saveLater(credential, over: known.version, session)
                    throw error
                }
            }
        }
    }

    public func replace(with credential: Credential?) async throws {
        let session = state.withLock { state in
            state = State(
                credential: credential,
                version: state.version,
                session: state.session + 1
            )
            return state.session
        }
        try await mutex.withLock {
            guard let credential else {
                try await store.clear()
                change(session) { $0.version = nil }
                return
            }
            // Another process may save in between, but not endlessly.
            while state.withLock({ $0.session == session && $0.holds(credential) }) {
                do {
                    let version = try await store.load()?.version
                    change(session) { $0.version = version }
                    guard let saved = try await store.save(credential, over: version) else {
                        continue
                    }
                    change(session) { $0.version = saved }
                    return
                } catch {
                    saveLater(credential, over: state.withLock(\.version), session)
                    throw error
                }
            }
        }
    }
}

extension StoredCredentialSource {
    private func refresh(_ known: State, _ context: RefreshContext) async throws -> Credential? {
        if let refusal = known.refusal { throw CredentialStoreError.signInRequired(by: refusal) }
        let refreshed: Credential?
        do {
            refreshed = try await source.refresh(known.credential, context)
        } catch let error as CredentialStoreError where error.code == .superseded {
            // Another process signed in or out before the token was sent, so its credential counts.
            let newer = try await mutex.withLock { try await update(known.session) }
            guard newer?.version != known.version else { throw error }
            return newer?.credential?.markedFromAnotherProcess
        } catch let error as any SessionEndingError where error.endsSession && !error.canResume {
            change(known.session) { $0.refusal = error }
            throw CredentialStoreError.signInRequired(by: error)
        }
        guard var refreshed else { return nil }
        refreshed.attachment = refreshed.attachment ?? known.credential?.attachment
        if (try? refreshed.validate()) == nil {
            // An invalid credential is not saved, but it may have a new refresh token for the old credential.
            if let refreshable = known.credential?.refreshable(as: refreshed) {
                _ = try await keep(refreshable, over: known.version, known.session)
            }
            return refreshed
        }
        return try await keep(refreshed, over: known.version, known.session)
    }

    /// Saves an unsaved credential and loads a newer one from the store.
    /// - Returns: The new state; `nil` if someone signed in or out in this process meanwhile.
    private func update(_ session: Int) async throws -> State? {
        let known = state.withLock(\.self)
        guard known.session == session else { return nil }
        if known.isUnsaved, let credential = known.credential {
            do {
                let saved = try await store.save(credential, over: known.version)
                // If another process has saved another credential, it is loaded below.
                change(session) { state in
                    state.isUnsaved = false
                    state.version = saved ?? known.version
                }
            } catch {
                onSaveFailure?(error)
            }
        }
        let record = try await store.load()
        return change(session) { state in
            guard record?.version != state.version else { return }
            state = State(
                credential: record?.credential,
                version: record?.version,
                session: session
            )
        }
    }

    private func keep(
        _ credential: Credential,
        over version: CredentialRecord.Version?,
        _ session: Int
    ) async throws -> Credential? {
        try await mutex.withLock {
            guard state.withLock({ $0.session == session }) else { return nil }
            do {
                if let saved = try await store.save(credential, over: version) {
                    change(session) {
                        $0 = State(credential: credential, version: saved, session: session)
                    }
                    return credential
                }
            } catch {
                onSaveFailure?(error)
                saveLater(credential, over: version, session)
                return credential
            }
            // Another process signed in or out meanwhile, so its credential counts.
            return try await update(session)?.credential?.markedFromAnotherProcess
        }
    }

    /// Uses a credential that could not be saved, and keeps trying to save it.
    private func saveLater(
        _ credential: Credential,
        over version: CredentialRecord.Version?,
        _ session: Int
    ) {
        let isTried = state.withLock(\.isUnsaved)
        change(session) { state in
            state = State(
                credential: credential,
                version: version,
                isUnsaved: true,
                session: session
            )
        }
        guard !isTried else { return }
        let pauses = RefreshPolicy.standard.backoff
        _ = runtime.start("save of a credential") { [weak self, runtime] in
            var failures = 1
            while let unsaved = self?.state.withLock(\.self), unsaved.isUnsaved {
                let pause = pauses.delay(after: failures, fraction: 1)
                guard (try? await runtime.sleep(for: pause)) != nil else { return }
                await self?.saveNow()
                failures += 1
            }
        }
    }

    private func saveNow() async {
        let session = state.withLock(\.session)
        // Saving removes the note of a refresh token, which must not be in use.
        _ = try? await store.withLock { [self] in
            try await mutex.withLock { _ = try await update(session) }
        }
    }

    /// - Returns: The new state; `nil` if someone signed in or out in this process meanwhile.
    @discardableResult
    private func change(_ session: Int, _ body: (inout State) -> Void) -> State? {
        state.withLock { state in
            guard state.session == session else { return nil }
            body(&state)
            return state
        }
    }
}

extension Credential {
    fileprivate var markedFromAnotherProcess: Credential {
        var credential = self
        credential.isFromAnotherProcess = true
        return credential
    }
}
