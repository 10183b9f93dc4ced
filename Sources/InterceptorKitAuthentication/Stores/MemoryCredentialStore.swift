public import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// A credential store in memory, for several clients of one process.
public final class MemoryCredentialStore: CredentialStore, RefreshTokenJournal {
    private struct State {
        var record: CredentialRecord?
        var saves = 0
        var used: HashAlgorithm.Digest?
        var isLocked = false
    }

    private let state: Lock<State>
    private let waiting: LockPolling

    /// Creates a store.
    /// - Parameters:
    ///   - credential: The initial credential. Defaults to none.
    ///   - runtime: The clock. Defaults to the live runtime.
    ///   - lockTimeout: The longest time that a refresh waits for another client. Defaults to 60 s.
    public init(
        _ credential: Credential? = nil,
        runtime: Runtime = .live,
        lockTimeout: Duration = .seconds(60)
    ) {
        let record = credential.map { CredentialRecord($0, version: CredentialRecord.Version("0")) }
        state = Lock(State(record: record))
        waiting = LockPolling(runtime: runtime, limit: lockTimeout)
    }

    public func load() async throws -> CredentialRecord? { state.withLock(\.record) }

    public func save(
        _ credential: Credential,
        over version: CredentialRecord.Version?
    ) async throws -> CredentialRecord.Version? {
        state.withLock { state in
            guard state.record?.version == version else { return nil }
            state.saves += 1
            let saved = CredentialRecord.Version("\(state.saves)")
            state.record = CredentialRecord(credential, version: saved)
            state.used = nil
            return saved
        }
    }

    public func clear() async throws {
        state.withLock { state in
            state.record = nil
            state.used = nil
        }
    }

    public func withLock<Result: Sendable>(
        _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        try await waiting.first { () -> Void? in
            state.withLock { state in
                guard !state.isLocked else { return nil }
                state.isLocked = true
                return ()
            }
        }
        defer { state.withLock { $0.isLocked = false } }
        return try await body()
    }

    public func recordUse(of refreshToken: HashAlgorithm.Digest) async throws {
        try state.withLock { state in
            guard state.used != refreshToken else {
                throw CredentialStoreError.refreshOutcomeUnknown
            }
            guard let token = state.record?.credential.refreshToken,
                HashAlgorithm.sha256.hash(token.utf8) == refreshToken
            else { throw CredentialStoreError.superseded }
            state.used = refreshToken
        }
    }

    public func withdrawUse(of refreshToken: HashAlgorithm.Digest) async throws {
        state.withLock { state in
            if state.used == refreshToken { state.used = nil }
        }
    }
}

extension MemoryCredentialStore: CustomReflectable {
    /// Empty, so that `dump` and debuggers show no credential.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
