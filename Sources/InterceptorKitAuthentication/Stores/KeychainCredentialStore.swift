import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

#if canImport(Security)
import Security

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A credential store in the keychain.
///
/// It is for one process, because processes share no lock in the keychain. An app and its extensions share an
/// item through an access group, but only one of them should refresh.
public final class KeychainCredentialStore: CredentialStore, RefreshTokenJournal {
    private struct Content: Codable {
        var version: String
        var credential: Data
        var used: String?
    }

    private let service: String
    private let account: String
    private let accessGroup: String?
    private let runtime: Runtime
    private let waiting: LockPolling
    private let isLocked = Lock(false)
    // Held while an item is read and replaced, which the keychain cannot do in one step.
    private let change = Lock(())

    /// Creates a store.
    /// - Parameters:
    ///   - service: The service that the credential is for.
    ///   - account: The account that it belongs to.
    ///   - accessGroup: The group of apps that share it. Defaults to only this app.
    ///   - runtime: The clock and random source. Defaults to the live runtime.
    ///   - lockTimeout: The longest wait of a refresh for another client. Defaults to 60 s.
    public init(
        service: String,
        account: String,
        accessGroup: String? = nil,
        runtime: Runtime = .live,
        lockTimeout: Duration = .seconds(60)
    ) {
        self.service = service
        self.account = account
        self.accessGroup = accessGroup
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

    public func clear() async throws {
        let status = SecItemDelete(query as CFDictionary)
        guard status == errSecSuccess || status == errSecItemNotFound else {
            throw failure(.cannotWrite, status)
        }
    }

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

    private var query: [CFString: Any] {
        var query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: service,
            kSecAttrAccount: account, kSecUseDataProtectionKeychain: true,
        ]
        if let accessGroup { query[kSecAttrAccessGroup] = accessGroup }
        return query
    }

    private func content() throws -> Content? {
        var query = query
        query[kSecReturnData] = true
        // Safety: the function stores a retained object in `found`, which ARC then owns, or leaves
        // `nil`.
        var found: CFTypeRef?
        let status = unsafe SecItemCopyMatching(query as CFDictionary, &found)
        if status == errSecItemNotFound { return nil }
        guard status == errSecSuccess, let data = found as? Data else {
            throw failure(.cannotRead, status)
        }
        guard let content = try? JSONDecoder().decode(Content.self, from: data) else {
            throw CredentialStoreError(
                .corrupt,
                "The keychain's item is no credential. Remove it and sign in."
            )
        }
        return content
    }

    private func write(_ content: Content) throws {
        let values: [CFString: Any] = [
            kSecValueData: try JSONEncoder().encode(content),
            // Readable by refreshes in the background, and never on another device.
            kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
        ]
        var status = SecItemUpdate(query as CFDictionary, values as CFDictionary)
        if status == errSecItemNotFound {
            let item = query.merging(values) { _, new in new }
            // Safety: `nil` is allowed, where the result is not wanted.
            status = unsafe SecItemAdd(item as CFDictionary, nil)
        }
        guard status == errSecSuccess else { throw failure(.cannotWrite, status) }
    }

    private func failure(
        _ code: CredentialStoreError.Code,
        _ status: OSStatus
    ) -> CredentialStoreError {
        CredentialStoreError(code, "The keychain refused with status \(status).")
    }
}
#endif
