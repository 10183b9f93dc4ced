/// Where credentials come from.
///
/// A source is called by one task at a time however many calls wait, and never by a task that one
/// caller's cancellation could end, so a rotated refresh token is not lost. Only a renewal that was
/// given up (``RenewalPolicy/abandonment``) or that a sign-in or sign-out overtook may still run beside
/// the next; what it comes to is then dropped, unless nothing newer is there.
///
/// A source may send through the very client it serves: its requests pass the ``TokenInterceptor``
/// bare, so a renewal never waits for itself. Those it sends from a task that inherits nothing, as
/// `Task.detached` or a callback, look like anybody's and would wait until the time limit
/// (``RenewalPolicy/waitLimit``): give them ``CredentialUse/none``. A source bounds its own time: give
/// it a client with time limits.
///
/// To keep credentials beyond the process, wrap a source in a `StoredCredential` of
/// `InterceptorKitAuthentication`.
public protocol CredentialSource: Sendable {
    /// The credential to begin with.
    /// - Returns: `nil` if there is none, as before a sign-in: requests then go out bare.
    func load() async throws -> Credential?

    /// A credential to take a rejected or expired one's place.
    /// - Parameter rejected: What is no longer accepted; `nil` if a request without one was rejected, or
    ///   a call requires one.
    /// - Returns: `nil` if there is none to be had.
    /// - Throws: Whatever tells the caller why; every call that waits gets this error. One that
    ///   ``SessionEndingError/endsSession`` is not followed by another try until someone signs in.
    func refresh(_ rejected: Credential?) async throws -> Credential?

    /// Takes note that someone signed in, or out, to keep the credential or to forget it.
    ///
    /// The interceptor uses it already, or uses none any more. Does nothing by default.
    /// - Parameter credential: What takes the place of whatever there was; `nil` after a sign-out.
    func replace(with credential: Credential?) async throws
}

extension CredentialSource {
    public func replace(with credential: Credential?) async throws {}
}

/// An error of a ``CredentialSource`` that may mean that no renewal can succeed until someone signs in,
/// as OAuth's `invalid_grant` (RFC 6749 section 5.2).
public protocol SessionEndingError: Error {
    /// Whether trying again is useless until someone signs in.
    var endsSession: Bool { get }

    /// Whether the caller is told that someone has to sign in. Defaults to ``endsSession``.
    var requiresSignIn: Bool { get }
}

extension SessionEndingError {
    public var requiresSignIn: Bool { endsSession }
}

/// A credential that never changes.
public struct FixedCredential: CredentialSource {
    private let credential: Credential

    /// Creates a source of one credential.
    public init(_ credential: Credential) { self.credential = credential }

    public func load() async throws -> Credential? { credential }

    /// There is no other: a rejected request stays rejected.
    public func refresh(_ rejected: Credential?) async throws -> Credential? { nil }
}

/// A source made from closures.
public struct RefreshableCredential: CredentialSource {
    private let initial: @Sendable () async throws -> Credential?
    private let renew: @Sendable (Credential?) async throws -> Credential?

    /// Creates a source.
    /// - Parameters:
    ///   - initial: The credential to begin with. Defaults to none.
    ///   - renew: Gets a credential in place of a rejected or expired one.
    public init(
        initial: @escaping @Sendable () async throws -> Credential? = { nil },
        renew: @escaping @Sendable (_ rejected: Credential?) async throws -> Credential?
    ) {
        self.initial = initial
        self.renew = renew
    }

    public func load() async throws -> Credential? { try await initial() }

    public func refresh(_ rejected: Credential?) async throws -> Credential? {
        try await renew(rejected)
    }
}
