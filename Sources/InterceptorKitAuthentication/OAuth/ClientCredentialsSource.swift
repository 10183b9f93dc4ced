public import InterceptorKit

/// A source of tokens for an application itself, by its own id and secret (RFC 6749 section 4.4).
public struct ClientCredentialsSource: CredentialSource {
    private let endpoint: TokenEndpoint
    private let scopes: StepUpScopes
    private let parameters: [(name: String, value: String)]

    /// Creates a source.
    /// - Parameters:
    ///   - endpoint: The token endpoint and its client.
    ///   - scopes: The scopes of the token. Defaults to the server's choice.
    ///   - stepUpScopes: The further scopes that the source asks for if an API says that a request needs them
    ///     (`insufficient_scope`, RFC 6750 section 3.1); see `CredentialSource.need(in:of:)`. Without `scopes` they have
    ///     no effect. Defaults to none.
    ///   - parameters: Additional parameters, such as `audience` if a server needs it. Defaults to none.
    public init(
        at endpoint: TokenEndpoint,
        scopes: [String] = [],
        stepUpScopes: [String] = [],
        parameters: HTTP.Parameters = [:]
    ) {
        self.endpoint = endpoint
        self.scopes = StepUpScopes(scopes, upTo: stepUpScopes)
        self.parameters =
            [("grant_type", "client_credentials")] + parameters.map { ($0.name, $0.value) }
    }

    public func load() async throws -> Credential? { try await token(for: nil) }

    public func refresh(_ rejected: Credential?) async throws -> Credential? {
        try await token(for: nil)
    }

    public func refresh(
        _ rejected: Credential?,
        _ context: RefreshContext
    ) async throws -> Credential? {
        try await token(for: context.need)
    }

    /// Returns the need for a scope that is one of the further scopes.
    public func need(in response: HTTP.Response, of call: Call) -> CredentialNeed? {
        scopes.need(in: response)
    }

    private func token(for need: CredentialNeed?) async throws -> Credential {
        try await endpoint.token(parameters + [scopes.parameter(for: need)])
    }
}

extension ClientCredentialsSource: CustomReflectable {
    /// The endpoint only, so that `dump` and debuggers show no parameter.
    public var customMirror: Mirror { Mirror(self, children: ["endpoint": endpoint]) }
}
