public import InterceptorKit
import InterceptorKitConcurrency

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension StoredCredentialSource {
    /// Creates a source over any place that stores bytes, such as your own keychain item or a database row.
    ///
    /// ```swift
    /// let session = StoredCredentialSource(
    ///     load: { try keychain.read() },
    ///     save: { try keychain.write($0) },
    ///     clear: { try keychain.remove() },
    ///     refreshedBy: tokens
    /// )
    /// ```
    ///
    /// The place must belong to one process, since another could save between reading and saving. If several processes
    /// share it, write a `CredentialStore`. The bytes are those of `Credential.archived()`, secrets included. The
    /// closures are called one at a time.
    /// - Parameters:
    ///   - load: Returns the stored bytes; `nil` if there are none.
    ///   - save: Replaces the stored bytes.
    ///   - clear: Removes the stored bytes.
    ///   - source: The source that refreshes the credential, and loads the first one if none is stored.
    ///   - runtime: The clock. Defaults to the live runtime.
    ///   - onSaveFailure: Receives the error if a credential could not be saved, as in
    ///     ``init(in:refreshedBy:runtime:onSaveFailure:)``. Defaults to none.
    public convenience init(
        load: @escaping @Sendable () async throws -> Data?,
        save: @escaping @Sendable (_ archive: Data) async throws -> Void,
        clear: @escaping @Sendable () async throws -> Void,
        refreshedBy source: some CredentialSource,
        runtime: Runtime = .live,
        onSaveFailure: (@Sendable (any Error) -> Void)? = nil
    ) {
        self.init(
            in: FunctionCredentialStore(loadData: load, saveData: save, clearData: clear),
            refreshedBy: source,
            runtime: runtime,
            onSaveFailure: onSaveFailure
        )
    }
}

/// A store over three functions. The version of a credential is its hash, and the functions are called one at a time.
private struct FunctionCredentialStore: CredentialStore {
    let loadData: @Sendable () async throws -> Data?
    let saveData: @Sendable (Data) async throws -> Void
    let clearData: @Sendable () async throws -> Void
    private let mutex = AsyncMutex()

    init(
        loadData: @escaping @Sendable () async throws -> Data?,
        saveData: @escaping @Sendable (Data) async throws -> Void,
        clearData: @escaping @Sendable () async throws -> Void
    ) {
        self.loadData = loadData
        self.saveData = saveData
        self.clearData = clearData
    }

    func load() async throws -> CredentialRecord? {
        try await mutex.withLock { try await read() }
    }

    func save(
        _ credential: Credential,
        over version: CredentialRecord.Version?
    ) async throws -> CredentialRecord.Version? {
        let archive = try credential.archived()
        return try await mutex.withLock {
            guard try await read()?.version == version else { return nil }
            try await saveData(archive)
            return Self.version(of: archive)
        }
    }

    func clear() async throws { try await mutex.withLock { try await clearData() } }

    private func read() async throws -> CredentialRecord? {
        guard let archive = try await loadData() else { return nil }
        guard let credential = try? Credential(archived: archive) else {
            throw CredentialStoreError(
                .corrupt,
                "The bytes from the store's `load` are not a complete credential. They were not changed. Return what "
                    + "`archived()` of a credential gave, or sign out to clear it, and sign in again."
            )
        }
        return CredentialRecord(credential, version: Self.version(of: archive))
    }

    private static func version(of archive: Data) -> CredentialRecord.Version {
        CredentialRecord.Version(HashAlgorithm.sha256.hash(archive).hexadecimal)
    }
}
