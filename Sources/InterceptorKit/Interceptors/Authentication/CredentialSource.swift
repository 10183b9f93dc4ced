/// A source that loads and refreshes credentials.
///
/// Only one task at a time calls a source, however many calls wait, and the cancellation of a caller never ends that
/// task, so a rotated refresh token is not lost. Two exceptions: a refresh that was abandoned
/// (``RefreshPolicy/abandonAfter``) or overtaken by a sign-in or sign-out may still run beside the next, and its result
/// is dropped unless nothing newer is there; and ``CredentialCache/reload()`` may load beside a refresh.
///
/// A source may send through the client that it serves: its requests pass the ``TokenInterceptor`` without a
/// credential, so a refresh never waits for itself. Requests from a task that inherits no task-local values, such as
/// `Task.detached` or a callback, would wait until the time limit (``RefreshPolicy/waitLimit``): give them
/// ``CredentialUse/none``. A source limits its own time: give it a client with time limits.
///
/// To keep credentials beyond the process, use a `StoredCredentialSource` of `InterceptorKitAuthentication` around it.
public protocol CredentialSource: Sendable {
    /// Loads the initial credential.
    /// - Returns: The credential; `nil` if there is none, such as before a sign-in: requests then have none.
    func load() async throws -> Credential?

    /// Gets a new credential in place of a rejected or expired one.
    /// - Parameter rejected: The rejected or expired credential; `nil` if a request without one was rejected, or a call
    ///   requires one.
    /// - Returns: The new credential; `nil` if none is available.
    /// - Throws: The error that every waiting call gets. After one that ``SessionEndingError/endsSession``, the source
    ///   is not asked again until a sign-in, unless the error ``SessionEndingError/canResume``.
    func refresh(_ rejected: Credential?) async throws -> Credential?

    /// Stores the credential of a sign-in, or deletes it at a sign-out.
    ///
    /// The interceptor already uses the new credential, or none. It passes on one sign-in or sign-out at a time, in the
    /// order they came. A refresh that one of them overtook may still run: a source that stores what it refreshes must
    /// then not store the result, as a `StoredCredentialSource` does not. The default does nothing.
    /// - Parameter credential: The new credential; `nil` after a sign-out.
    func replace(with credential: Credential?) async throws
}

extension CredentialSource {
    public func replace(with credential: Credential?) async throws {}
}

/// An error of a ``CredentialSource`` that may end the session, such as OAuth's `invalid_grant` (RFC 6749 section 5.2).
///
/// ```swift
/// do {
///     return try await api.send(.get("/orders"))
/// } catch let error as any SessionEndingError where error.endsSession {
///     try await session.signIn(with: try await askSomeone())
///     return try await api.send(.get("/orders"))
/// }
/// ```
public protocol SessionEndingError: Error {
    /// Whether the authorization server declared the session over.
    ///
    /// Only this decides whether to ask for a sign-in or to sign the user out. It is never true of a time limit, a lost
    /// connection, a status from 500 or an unreadable response: after these, another try may succeed.
    var endsSession: Bool { get }

    /// Whether another process may sign in, so that the source is asked again after a pause although the session is
    /// over. Defaults to `false`: the source is asked again after a sign-in here.
    var canResume: Bool { get }

    /// Whether no call gets a credential until someone signs in, for whatever reason. It decides what to show, and is
    /// no reason to sign the user out. Defaults to ``endsSession``.
    var requiresSignIn: Bool { get }
}

extension SessionEndingError {
    public var canResume: Bool { false }

    public var requiresSignIn: Bool { endsSession }
}

/// A source with a fixed credential.
public struct FixedCredentialSource: CredentialSource {
    private let credential: Credential

    /// Creates a source with a fixed credential.
    public init(_ credential: Credential) { self.credential = credential }

    public func load() async throws -> Credential? { credential }

    /// Returns `nil`, because there is no other credential: a rejected request stays rejected.
    public func refresh(_ rejected: Credential?) async throws -> Credential? { nil }
}

/// A source made from closures.
public struct RefreshableCredentialSource: CredentialSource {
    private let initial: @Sendable () async throws -> Credential?
    private let onRefresh: @Sendable (Credential?) async throws -> Credential?

    /// Creates a source.
    /// - Parameters:
    ///   - initial: Loads the initial credential. Defaults to none.
    ///   - refresh: Gets a new credential in place of a rejected or expired one.
    public init(
        initial: @escaping @Sendable () async throws -> Credential? = { nil },
        refresh: @escaping @Sendable (_ rejected: Credential?) async throws -> Credential?
    ) {
        self.initial = initial
        self.onRefresh = refresh
    }

    public func load() async throws -> Credential? { try await initial() }

    public func refresh(_ rejected: Credential?) async throws -> Credential? {
        try await onRefresh(rejected)
    }
}
