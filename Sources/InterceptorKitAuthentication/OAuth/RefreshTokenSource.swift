public import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// A source of tokens for a signed-in user, refreshed with refresh tokens (RFC 6749 section 6).
///
/// A server may return a new refresh token with each access token and stop accepting the old one (rotation, RFC 9700
/// section 4.14): the returned credential has the newest. A refresh token that the server has called invalid is not
/// sent again: the same error is thrown until someone signs in.
///
/// If the response to a refresh may get lost, or several processes share one credential, wrap this source in a
/// ``StoredCredentialSource``.
public struct RefreshTokenSource: CredentialSource {
    private let endpoint: TokenEndpoint
    private let scopes: StepUpScopes
    private let initial: @Sendable () async throws -> Credential?
    private let refusal = Refusal()

    /// Creates a source.
    /// - Parameters:
    ///   - endpoint: The token endpoint and its client.
    ///   - scopes: The scopes of the token, no more than were granted. Defaults to all that were granted.
    ///   - stepUpScopes: The further scopes that the source asks for if an API says that a request needs them
    ///     (`insufficient_scope`, RFC 6750 section 3.1); see `CredentialSource.need(in:of:)`. Without `scopes` they have
    ///     no effect. Defaults to none.
    ///   - initial: Returns the initial credential with its refresh token. Defaults to none: pass one to
    ///     `TokenInterceptor.signIn(with:)` after a sign-in.
    public init(
        at endpoint: TokenEndpoint,
        scopes: [String] = [],
        stepUpScopes: [String] = [],
        initial: @escaping @Sendable () async throws -> Credential? = { nil }
    ) {
        self.endpoint = endpoint
        self.scopes = StepUpScopes(scopes, upTo: stepUpScopes)
        self.initial = initial
    }

    public func load() async throws -> Credential? { try await initial() }

    /// - Returns: The new credential; `nil` if the rejected one has no refresh token.
    public func refresh(_ rejected: Credential?) async throws -> Credential? {
        try await refresh(rejected, RefreshContext())
    }

    /// Returns the need for a scope that is one of the further scopes.
    public func need(in response: HTTP.Response, of call: Call) -> CredentialNeed? {
        scopes.need(in: response)
    }

    /// - Returns: The new credential; `nil` if the rejected one has no refresh token.
    public func refresh(
        _ rejected: Credential?,
        _ context: RefreshContext
    ) async throws -> Credential? {
        guard let refreshToken = rejected?.refreshToken else { return nil }
        if let error = refusal.error(for: refreshToken) { throw error }
        do {
            return try await endpoint.token(
                [
                    ("grant_type", "refresh_token"), ("refresh_token", refreshToken),
                    scopes.parameter(for: context.need),
                ],
                secrets: [refreshToken],
                keeping: refreshToken
            )
        } catch let error as OAuthError where error.endsSession {
            refusal.note(error, for: refreshToken)
            throw error
        }
    }
}

extension RefreshTokenSource: CustomReflectable {
    /// The endpoint only, so that `dump` and debuggers show no token.
    public var customMirror: Mirror { Mirror(self, children: ["endpoint": endpoint]) }
}

/// The refresh token that the server called invalid last.
private final class Refusal: Sendable {
    private let last = Lock<(refreshToken: String, error: OAuthError)?>(nil)

    func error(for refreshToken: String) -> OAuthError? {
        last.withLock { last in
            guard let last, last.refreshToken == refreshToken else { return nil }
            return last.error
        }
    }

    func note(_ error: OAuthError, for refreshToken: String) {
        last.withLock { $0 = (refreshToken, error) }
    }
}
