#if canImport(Security)
public import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// A store of signing keys in the keychain.
///
/// It serves one process, because the keychain has no lock between processes. An app and its extensions can share an
/// item through an access group, but only one of them should save.
public final class KeychainSigningKeyStore: SigningKeyStore {
    private let item: KeychainItem
    // Held while an item is read and replaced, because the keychain has no atomic operation for that.
    private let lock = Lock(())

    /// Creates a store.
    /// - Parameters:
    ///   - service: The service that the keys are for.
    ///   - account: The account that the keys belong to.
    ///   - accessGroup: The group of apps that share the keys. Defaults to only this app.
    public init(service: String, account: String, accessGroup: String? = nil) {
        item = KeychainItem(service: service, account: account, accessGroup: accessGroup)
    }

    /// Returns the key with an id; for `nil`, the key that was saved last.
    /// - Throws: ``CredentialStoreError`` if the keychain refuses access, or its item is not a list of keys.
    public func key(id: String?) async throws -> SigningKey? { try archive().key(id: id) }

    /// Saves a key, replacing one with the same id, and makes it the default for calls that ask for no other.
    ///
    /// The other keys remain for calls that ask for them, until you remove them.
    /// - Throws: ``CredentialStoreError``; `SigningError` if the key is empty or its id cannot be sent. A private key
    ///   with a signer cannot be saved.
    public func save(_ key: SigningKey) async throws {
        try change { try $0.save(key) }
    }

    /// Removes the key with an id, if there is one.
    public func remove(id: String) async throws {
        try change { $0.remove(id: id) }
    }

    /// Removes the item with all keys, whatever it contains.
    public func clear() async throws { try item.remove() }

    private func change(_ body: (inout SigningKeyArchive) throws -> Void) throws {
        try lock.withLock { _ in
            var archive = try archive()
            try body(&archive)
            try item.write(try archive.data)
        }
    }

    private func archive() throws(CredentialStoreError) -> SigningKeyArchive {
        guard let data = try item.read() else { return SigningKeyArchive() }
        guard let archive = SigningKeyArchive(data) else {
            throw CredentialStoreError(
                .corrupt,
                "The keychain's item is not a list of signing keys that this version can read. It was not "
                    + "changed. Remove it and save the keys again."
            )
        }
        return archive
    }
}
#endif
