public import InterceptorKit

/// Keeps signing keys in a file that its owner alone can read and write.
///
/// ```swift
/// let keys = SigningKeyFile("/var/lib/orders/signing-keys")
/// try await keys.save(SigningKey(id: "app-1", secret: secret.utf8))
/// let sign = SignInterceptor(RequestSigner(HMACScheme(), keys: keys))
/// ```
///
/// The file is read for each attempt, so a key that another process saves is used from then on. It has
/// permissions 600. One that others may read or write, or that is another user's or a link, is refused
/// (``CredentialStoreError/Code-swift.struct/unsafeFile``). It is replaced in one step, so that a crash
/// leaves the old keys or the new ones. A file that isn't a list of keys is an error
/// (``CredentialStoreError/Code-swift.struct/corrupt``) and stays as it is.
///
/// You can also write the file yourself: it is JSON, with the secrets in Base64, as in
/// `{"format": 1, "keys": [{"id": "app-1", "secret": "czNjcmV0"}]}`. The library adds a checksum, `sha256`, and
/// refuses a file that was changed since: leave the checksum out if you change a key by hand.
///
/// Beside the file stands `.lock`, and for a moment `.new`. The secrets aren't encrypted: a disk that leaves
/// the building should be.
public struct SigningKeyFile: SigningKeyStore {
    private let file: PrivateFile
    private let lockFile: PrivateFile
    private let waiting: LockPolling

    /// Creates a store.
    /// - Parameters:
    ///   - path: The file's path, in a folder that exists.
    ///   - runtime: Its clock and random source. Defaults to the live runtime.
    public init(_ path: String, runtime: Runtime = .live) {
        file = PrivateFile(path: path)
        lockFile = PrivateFile(path: path + ".lock")
        // As long as a refresh waits; a save takes milliseconds.
        waiting = LockPolling(runtime: runtime, limit: .seconds(60))
    }

    /// Returns the key with an ID, or the key that was saved last for `nil`.
    /// - Throws: ``CredentialStoreError`` if the file is unsafe, unreadable or isn't a list of keys.
    public func key(id: String?) async throws -> SigningKey? { try archive().key(id: id) }

    /// Saves a key, in place of one with its ID, to be used unless a call asks for another.
    ///
    /// The other keys stay until you remove them, for calls that ask for them.
    /// - Throws: ``CredentialStoreError``; `SigningError` if the key is empty or its ID can't be sent. A
    ///   private key with a signer can't be saved.
    public func save(_ key: SigningKey) async throws {
        try await change { try $0.save(key) }
    }

    /// Removes the key with an ID, if there is one.
    public func remove(id: String) async throws {
        try await change { $0.remove(id: id) }
    }

    /// Removes the file with all keys, whatever is in it.
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
