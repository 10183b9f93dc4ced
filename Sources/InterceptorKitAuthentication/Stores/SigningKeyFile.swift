public import InterceptorKit

/// A store of signing keys in a file that only its owner can read and write.
///
/// ```swift
/// let keys = SigningKeyFile("/var/lib/orders/signing-keys")
/// try await keys.save(SigningKey(id: "app-1", secret: secret.utf8))
/// let sign = SignInterceptor(RequestSigner(HMACScheme(), keys: keys))
/// ```
///
/// The file is read for each attempt, so a key that another process saves is used at once. The file has permissions
/// 600. A file that others may read or write, that belongs to another user, or that is a link is refused
/// (``CredentialStoreError/Code-swift.struct/unsafeFile``). The file is replaced atomically, so a crash leaves the old
/// or the new keys. A file that is not a list of keys is an error (``CredentialStoreError/Code-swift.struct/corrupt``)
/// and stays unchanged.
///
/// You can also write the file yourself: it is JSON with the secrets in base64, as in `{"format": 1, "keys": [{"id":
/// "app-1", "secret": "czNjcmV0"}]}`. The library adds a checksum, `sha256`, and refuses a file that was changed since:
/// remove the checksum if you change a key by hand.
///
/// Beside the file are `.lock`, and briefly `.new`. The secrets are not encrypted: use disk encryption.
public struct SigningKeyFile: SigningKeyStore {
    private let file: PrivateFile
    private let lockFile: PrivateFile
    private let waiting: LockPolling

    /// Creates a store.
    /// - Parameters:
    ///   - path: The file's path, in an existing folder.
    ///   - runtime: The clock and random source. Defaults to the live runtime.
    public init(_ path: String, runtime: Runtime = .live) {
        file = PrivateFile(path: path)
        lockFile = PrivateFile(path: path + ".lock")
        // The limit is that of a refresh; a save takes milliseconds.
        waiting = LockPolling(runtime: runtime, limit: .seconds(60))
    }

    /// Returns the key with an id; for `nil`, the key that was saved last.
    /// - Throws: ``CredentialStoreError`` if the file is unsafe, unreadable or not a list of keys.
    public func key(id: String?) async throws -> SigningKey? { try archive().key(id: id) }

    /// Saves a key, replacing one with the same id, and makes it the default for calls that ask for no other.
    ///
    /// The other keys remain for calls that ask for them, until you remove them.
    /// - Throws: ``CredentialStoreError``; `SigningError` if the key is empty or its id cannot be sent. A private key
    ///   with a signer cannot be saved.
    public func save(_ key: SigningKey) async throws {
        try await change { try $0.save(key) }
    }

    /// Removes the key with an id, if there is one.
    public func remove(id: String) async throws {
        try await change { $0.remove(id: id) }
    }

    /// Removes the file with all keys, whatever it contains.
    public func clear() async throws {
        let lock = try await waiting.first { try lockFile.lock() }
        defer { lock.release() }
        try file.remove()
    }

    private func change(_ body: (inout SigningKeyArchive) throws -> Void) async throws {
        let lock = try await waiting.first { try lockFile.lock() }
        defer { lock.release() }
        var archive = try archive()
        try body(&archive)
        try file.write(try archive.data)
    }

    private func archive() throws(CredentialStoreError) -> SigningKeyArchive {
        guard let data = try file.read() else { return SigningKeyArchive() }
        guard let archive = SigningKeyArchive(data) else {
            throw .corrupt(
                file.path,
                "is not a list of signing keys that this version can read, or was changed after it was written "
                    + "(leave sha256 out after a change by hand)"
            )
        }
        return archive
    }
}
