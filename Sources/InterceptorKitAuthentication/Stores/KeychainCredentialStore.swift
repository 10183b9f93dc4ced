#if canImport(Security)
public import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A credential store in the keychain.
///
/// It serves one process, because the keychain has no lock between processes. An app and its extensions can share an
/// item through an access group, but only one of them should refresh.
public final class KeychainCredentialStore: CredentialStore, RefreshTokenJournal {
    private struct Content: Codable {
        var version: String
        var credential: Data
        var used: String?
    }

    private let item: KeychainItem
    private let runtime: Runtime
    private let waiting: LockPolling
    private let isLocked = Lock(false)
    // Held while an item is read and replaced, because the keychain has no atomic operation for that.
    private let change = Lock(())

    /// Creates a store.
    /// - Parameters:
    ///   - service: The service that the credential is for.
    ///   - account: The account that the credential belongs to.
    ///   - accessGroup: The group of apps that share the credential. Defaults to only this app.
    ///   - runtime: The clock and random source. Defaults to the live runtime.
    ///   - lockTimeout: The longest time that a refresh waits for another client. Defaults to 60 s.
    public init(
        service: String,
        account: String,
        accessGroup: String? = nil,
        runtime: Runtime = .live,
        lockTimeout: Duration = .seconds(60)
    ) {
        item = KeychainItem(service: service, account: account, accessGroup: accessGroup)
        self.runtime = runtime
        waiting = LockPolling(runtime: runtime, limit: lockTimeout)
    }

    public func load() async throws -> CredentialRecord? {
        guard let content = try content() else { return nil }
        return CredentialRecord(
            try Credential(archived: content.credential),
            version: CredentialRecord.Version(content.version)
        )
    }

    public func save(
        _ credential: Credential,
        over version: CredentialRecord.Version?
    ) async throws -> CredentialRecord.Version? {
        let saved = CredentialRecord.Version(runtime.randomBytes(16).hexadecimal)
        let archive = try credential.archived()
        return try change.withLock { _ in
            guard try content()?.version == version?.text else { return nil }
            try write(Content(version: saved.text, credential: archive))
            return saved
        }
    }

    public func clear() async throws { try item.remove() }

    public func withLock<Result: Sendable>(
        _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        try await waiting.first { () -> Void? in
            isLocked.withLock { isLocked in
                guard !isLocked else { return nil }
                isLocked = true
                return ()
            }
        }
        defer { isLocked.withLock { $0 = false } }
        return try await body()
    }

    public func recordUse(of refreshToken: HashAlgorithm.Digest) async throws {
        try change.withLock { _ in
            guard var content = try content() else { throw CredentialStoreError.superseded }
            guard content.used != refreshToken.hexadecimal else {
                throw CredentialStoreError.refreshOutcomeUnknown
            }
            let token = try Credential(archived: content.credential).refreshToken
            guard let token, HashAlgorithm.sha256.hash(token.utf8) == refreshToken else {
                throw CredentialStoreError.superseded
            }
            content.used = refreshToken.hexadecimal
            try write(content)
        }
    }

    public func withdrawUse(of refreshToken: HashAlgorithm.Digest) async throws {
        try change.withLock { _ in
            guard var content = try content(), content.used == refreshToken.hexadecimal else {
                return
            }
            content.used = nil
            try write(content)
        }
    }

    private func content() throws(CredentialStoreError) -> Content? {
        guard let data = try item.read() else { return nil }
        guard let content = try? JSONDecoder().decode(Content.self, from: data) else {
            throw CredentialStoreError(
                .corrupt,
                "The keychain's item is not a credential. Remove it and sign in."
            )
        }
        return content
    }

    private func write(_ content: Content) throws {
        try item.write(try JSONEncoder().encode(content))
    }
}
#endif
