#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

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

    /// Returns what a rejected response asks for, if the source can bring it and a mere refresh would not.
    ///
    /// It is asked about each response from status 400 to a request with its credential. If it names a need, whatever
    /// the status, the source is asked for a credential that meets it (``refresh(_:_:)``), and the request is sent once
    /// more, for at most two needs of a request. Other calls use the old credential meanwhile. If the source returns
    /// none, the response goes to the caller; so it does after ``RefreshPolicy/limit`` such refreshes within the window.
    ///
    /// Return ``CredentialNeed/init(in:)`` for the challenges of OAuth. The default returns `nil`: the response goes to
    /// the caller, or leads to a refresh, by its status.
    /// - Parameters:
    ///   - response: The response. Its body is not read yet.
    ///   - call: The call of the request.
    func need(in response: HTTP.Response, of call: Call) -> CredentialNeed?

    /// Gets a new credential in place of a rejected or expired one, knowing why.
    ///
    /// The default ignores the context and calls ``refresh(_:)``.
    /// - Parameters:
    ///   - rejected: As in ``refresh(_:)``. If the context has a need, the current credential, which may be accepted for
    ///     other requests.
    ///   - context: The call that began the refresh, the rejection, and what the new credential must have.
    /// - Returns: As in ``refresh(_:)``.
    /// - Throws: As in ``refresh(_:)``. If the context has a need, only calls with that need get the error, and the next
    ///   refresh waits for nothing.
    func refresh(_ rejected: Credential?, _ context: RefreshContext) async throws -> Credential?

    /// Stores another attachment of the credential that the source stores, after a ``CredentialCache/attach(_:)``. The
    /// default does nothing.
    /// - Parameter attachment: The new ``Credential/attachment``.
    func attach(_ attachment: Data) async throws

    /// Stores the credential of a sign-in, or deletes it at a sign-out.
    ///
    /// The interceptor already uses the new credential, or none. It passes on one sign-in or sign-out at a time, in the
    /// order they came. A refresh that one of them overtook may still run: a source that stores what it refreshes must
    /// then not store the result, as a `StoredCredentialSource` does not. The default does nothing.
    /// - Parameter credential: The new credential; `nil` after a sign-out.
    func replace(with credential: Credential?) async throws
}

extension CredentialSource {
    public func need(in response: HTTP.Response, of call: Call) -> CredentialNeed? { nil }

    public func refresh(
        _ rejected: Credential?,
        _ context: RefreshContext
    ) async throws -> Credential? {
        try await refresh(rejected)
    }

    public func attach(_ attachment: Data) async throws {}

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
///
/// ```swift
/// let tokens = RefreshableCredentialSource(need: { CredentialNeed(in: $0) }) { _, context in
///     try await service.token(for: context.need?.scopes ?? [])
/// }
/// ```
public struct RefreshableCredentialSource: CredentialSource {
    private let initial: @Sendable () async throws -> Credential?
    private let readNeed: @Sendable (HTTP.Response) -> CredentialNeed?
    private let onRefresh: @Sendable (Credential?, RefreshContext) async throws -> Credential?

    /// Creates a source.
    /// - Parameters:
    ///   - initial: Loads the initial credential. Defaults to none.
    ///   - refresh: Gets a new credential in place of a rejected or expired one.
    public init(
        initial: @escaping @Sendable () async throws -> Credential? = { nil },
        refresh: @escaping @Sendable (_ rejected: Credential?) async throws -> Credential?
    ) {
        self.init(initial: initial) { rejected, _ in try await refresh(rejected) }
    }

    /// Creates a source that sees why it is asked.
    /// - Parameters:
    ///   - initial: Loads the initial credential. Defaults to none.
    ///   - need: Returns what a rejected response asks for (``CredentialSource/need(in:of:)``). Defaults to nothing.
    ///   - refresh: Gets a new credential in place of a rejected or expired one, or for a need.
    public init(
        initial: @escaping @Sendable () async throws -> Credential? = { nil },
        need: @escaping @Sendable (_ response: HTTP.Response) -> CredentialNeed? = { _ in nil },
        refresh:
            @escaping @Sendable (
                _ rejected: Credential?, _ context: RefreshContext
            ) async throws -> Credential?
    ) {
        self.initial = initial
        readNeed = need
        onRefresh = refresh
    }

    public func load() async throws -> Credential? { try await initial() }

    public func refresh(_ rejected: Credential?) async throws -> Credential? {
        try await onRefresh(rejected, RefreshContext())
    }

    public func need(in response: HTTP.Response, of call: Call) -> CredentialNeed? {
        readNeed(response)
    }

    public func refresh(
        _ rejected: Credential?,
        _ context: RefreshContext
    ) async throws -> Credential? {
        try await onRefresh(rejected, context)
    }
}
