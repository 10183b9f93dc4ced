#if canImport(Security)
public import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// Keeps signing keys in the keychain.
///
/// One process: the keychain has no lock that processes share. An app and its extensions share an item
/// by an access group, but should leave saving to one of them.
public final class KeychainSigningKeyStore: SigningKeyStore {
    private let item: KeychainItem
    // Held while an item is read and replaced, which the keychain cannot do in one step.
    private let lock = Lock(())

    /// Creates a store.
    /// - Parameters:
    ///   - service: What the keys are for.
    ///   - account: Whose they are.
    ///   - accessGroup: The group of apps that share them. Defaults to the app alone.
    public init(service: String, account: String, accessGroup: String? = nil) {
        item = KeychainItem(service: service, account: account, accessGroup: accessGroup)
    }

    /// Returns the key with an ID, or the key that was saved last for `nil`.
    /// - Throws: ``CredentialStoreError`` if the keychain refuses, or its item isn't a list of keys.
    public func key(id: String?) async throws -> SigningKey? { try archive().key(id: id) }

    /// Saves a key, in place of one with its ID, to be used unless a call asks for another.
    ///
    /// The other keys stay until you remove them, for calls that ask for them.
    /// - Throws: ``CredentialStoreError``; `SigningError` if the key is empty or its ID can't be sent. A
    ///   private key with a signer can't be saved.
    public func save(_ key: SigningKey) async throws {
        try change { try $0.save(key) }
    }

    /// Removes the key with an ID, if there is one.
    public func remove(id: String) async throws {
        try change { $0.remove(id: id) }
    }

    /// Removes the item with all keys, whatever is in it.
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
                "The keychain's item is not a list of signing keys that this version can read. It is left "
                    + "as it is. Remove it and save the keys again."
            )
        }
        return archive
    }
}
#endif
