/// A store that keeps a credential beyond the process, such as a file, a keychain or a shared database.
///
/// A `StoredCredentialSource` of `InterceptorKitAuthentication` puts a store in front of a source; that module also
/// contains stores. Each save names the version that it replaces, so a refresh that ends after a sign-out or after
/// another process's refresh overwrites nothing newer.
///
/// To write and read a credential, use ``Credential/archived()`` and ``Credential/init(archived:)``.
public protocol CredentialStore: Sendable {
    /// Returns the stored credential; `nil` if there is none.
    func load() async throws -> CredentialRecord?

    /// Replaces a given version with a new credential, in one atomic step.
    /// - Parameters:
    ///   - credential: The credential to store.
    ///   - version: The version that must be stored now; `nil` if the store must be empty.
    /// - Returns: The new version; `nil` if another version is stored, which then stays.
    func save(
        _ credential: Credential,
        over version: CredentialRecord.Version?
    ) async throws -> CredentialRecord.Version?

    /// Removes the stored credential, whatever its version.
    func clear() async throws

    /// Runs work while no other process that shares the store runs any.
    ///
    /// Each refresh runs inside, so that two processes never use the same refresh token. A waiting task must stop
    /// waiting when it is cancelled, and a process that died must not block the others. The default does not lock,
    /// which suits a store of one process.
    func withLock<Result: Sendable>(
        _ body: @Sendable () async throws -> Result
    ) async throws -> Result
}

extension CredentialStore {
    public func withLock<Result: Sendable>(
        _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        try await body()
    }
}

/// A credential in a ``CredentialStore``, with its version.
public struct CredentialRecord: Sendable {
    /// The version of a stored credential, in any form that the store can compare.
    public struct Version: Hashable, Sendable {
        /// The version as text, which reveals nothing about the credential.
        public let text: String

        /// Creates a version.
        public init(_ text: String) { self.text = text }
    }

    /// The credential.
    public var credential: Credential
    /// The version of the record.
    public var version: Version

    /// Creates a record.
    public init(_ credential: Credential, version: Version) {
        self.credential = credential
        self.version = version
    }
}
