/// A store that keeps a credential beyond the process, such as a file, a keychain or a shared database.
///
/// A `StoredCredentialSource` of `InterceptorKitAuthentication` puts one behind a source, and that module has
/// stores. The version makes sure that a refresh which ends after a sign-out, or after another process'
/// refresh, overwrites nothing newer: a save says which version it replaces.
///
/// To write a credential down, and to read it back, see ``Credential/archived()`` and
/// ``Credential/init(archived:)``.
public protocol CredentialStore: Sendable {
    /// What is kept; `nil` if nothing is.
    func load() async throws -> CredentialRecord?

    /// Keeps a credential in the place of one certain version, in one step that nobody comes between.
    /// - Parameters:
    ///   - credential: What to keep.
    ///   - version: What must be there still; `nil` if nothing must be.
    /// - Returns: The new version; `nil` if something else is there, which then stays.
    func save(
        _ credential: Credential,
        over version: CredentialRecord.Version?
    ) async throws -> CredentialRecord.Version?

    /// Keeps nothing any more, whatever was there.
    func clear() async throws

    /// Does something while no other process that shares the store does.
    ///
    /// A refresh runs inside, so that two processes never use one refresh token. Code that waits here
    /// must leave when its task is cancelled, and a process that died must not hold the others up.
    /// The default keeps nobody out, as for a store of one process.
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

/// A credential as a ``CredentialStore`` keeps it.
public struct CredentialRecord: Sendable {
    /// The version of a stored credential, in any form that the store can compare.
    public struct Version: Hashable, Sendable {
        /// The version as text, which says nothing about the credential.
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
