public import InterceptorKit

/// A source of tokens in exchange for others (RFC 8693), for a service that calls another on behalf of its caller.
public struct TokenExchangeSource: CredentialSource {
    /// A token to exchange. Its description and mirror never show its value.
    public struct Token: Sendable {
        /// The kind of a token (RFC 8693 section 3). Servers may define other kinds.
        public struct Kind: Hashable, Sendable, CustomStringConvertible {
            public let description: String

            /// Creates a kind from its URI.
            public init(_ description: String) { self.description = description }

            /// An OAuth 2.0 access token.
            public static let accessToken = Kind("urn:ietf:params:oauth:token-type:access_token")
            /// An OAuth 2.0 refresh token.
            public static let refreshToken = Kind("urn:ietf:params:oauth:token-type:refresh_token")
            /// An ID token of OpenID Connect.
            public static let idToken = Kind("urn:ietf:params:oauth:token-type:id_token")
            /// A JSON Web Token.
            public static let jwt = Kind("urn:ietf:params:oauth:token-type:jwt")
            /// A SAML 1.1 assertion, in base64url.
            public static let saml1 = Kind("urn:ietf:params:oauth:token-type:saml1")
            /// A SAML 2.0 assertion, in base64url.
            public static let saml2 = Kind("urn:ietf:params:oauth:token-type:saml2")
        }

        let value: String
        let kind: Kind

        /// Creates a token.
        /// - Parameters:
        ///   - value: The token.
        ///   - kind: The kind of token. Defaults to an access token.
        public init(_ value: String, kind: Kind = .accessToken) {
            self.value = value
            self.kind = kind
        }
    }

    private let endpoint: TokenEndpoint
    private let scopes: StepUpScopes
    private let parameters: [(name: String, value: String)]
    private let subject: @Sendable () async throws -> Token
    private let actor: (@Sendable () async throws -> Token)?

    /// Creates a source.
    /// - Parameters:
    ///   - endpoint: The token endpoint and its client.
    ///   - audience: The names of the services that the token is for. Defaults to the server's choice.
    ///   - resources: The URLs of the services that the token is for. Defaults to the server's choice.
    ///   - scopes: The scopes of the token. Defaults to the server's choice.
    ///   - stepUpScopes: The further scopes that the source asks for if an API says that a request needs them
    ///     (`insufficient_scope`, RFC 6750 section 3.1); see `CredentialSource.need(in:of:)`. Without `scopes` they have
    ///     no effect. Defaults to none.
    ///   - requested: The requested kind of token. Defaults to the server's choice.
    ///   - actor: Returns the token of the party that acts for the subject. Called for each exchange. Defaults to none.
    ///   - subject: Returns the token of the subject. Called for each exchange, as it may be refreshed.
    public init(
        at endpoint: TokenEndpoint,
        audience: [String] = [],
        resources: [String] = [],
        scopes: [String] = [],
        stepUpScopes: [String] = [],
        requested: Token.Kind? = nil,
        actor: (@Sendable () async throws -> Token)? = nil,
        subject: @escaping @Sendable () async throws -> Token
    ) {
        self.endpoint = endpoint
        self.subject = subject
        self.actor = actor
        self.scopes = StepUpScopes(scopes, upTo: stepUpScopes)
        let grant = "urn:ietf:params:oauth:grant-type:token-exchange"
        parameters =
            [("grant_type", grant)] + audience.map { ("audience", $0) }
            + resources.map { ("resource", $0) }
            + [("requested_token_type", requested?.description ?? "")]
    }

    public func load() async throws -> Credential? { try await exchanged(for: nil) }

    public func refresh(_ rejected: Credential?) async throws -> Credential? {
        try await exchanged(for: nil)
    }

    public func refresh(
        _ rejected: Credential?,
        _ context: RefreshContext
    ) async throws -> Credential? {
        try await exchanged(for: context.need)
    }

    /// Returns the need for a scope that is one of the further scopes.
    public func need(in response: HTTP.Response, of call: Call) -> CredentialNeed? {
        scopes.need(in: response)
    }

    private func exchanged(for need: CredentialNeed?) async throws -> Credential {
        let subject = try await subject()
        var parameters = parameters + [scopes.parameter(for: need)]
        parameters.append(("subject_token", subject.value))
        parameters.append(("subject_token_type", subject.kind.description))
        var secrets = [subject.value]
        if let actor = try await actor?() {
            parameters.append(("actor_token", actor.value))
            parameters.append(("actor_token_type", actor.kind.description))
            secrets.append(actor.value)
        }
        return try await endpoint.token(parameters, secrets: secrets)
    }
}

extension TokenExchangeSource.Token: CustomStringConvertible {
    /// The kind, never the token.
    public var description: String { "Token(\(kind))" }
}

extension TokenExchangeSource.Token: CustomReflectable {
    /// The kind only, so that `dump` and debuggers do not show the token.
    public var customMirror: Mirror { Mirror(self, children: ["kind": kind.description]) }
}

extension TokenExchangeSource: CustomReflectable {
    /// The endpoint only, so that `dump` and debuggers show no token.
    public var customMirror: Mirror { Mirror(self, children: ["endpoint": endpoint]) }
}
