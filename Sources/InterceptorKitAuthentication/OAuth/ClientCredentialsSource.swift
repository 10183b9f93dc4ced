public import InterceptorKit

/// A source of tokens for an application itself, by its own id and secret (RFC 6749 section 4.4).
public struct ClientCredentialsSource: CredentialSource {
    private let endpoint: TokenEndpoint
    private let parameters: [(name: String, value: String)]

    /// Creates a source.
    /// - Parameters:
    ///   - endpoint: The token endpoint and its client.
    ///   - scopes: The scopes of the token. Defaults to the server's choice.
    ///   - parameters: Additional parameters, such as `audience` if a server needs it. Defaults to none.
    public init(
        at endpoint: TokenEndpoint,
        scopes: [String] = [],
        parameters: HTTP.Parameters = [:]
    ) {
        self.endpoint = endpoint
        self.parameters =
            [("grant_type", "client_credentials"), ("scope", scopes.joined(separator: " "))]
            + parameters.map { ($0.name, $0.value) }
    }

    public func load() async throws -> Credential? { try await endpoint.token(parameters) }

    public func refresh(_ rejected: Credential?) async throws -> Credential? {
        try await endpoint.token(parameters)
    }
}

extension ClientCredentialsSource: CustomReflectable {
    /// The endpoint only, so that `dump` and debuggers show no parameter.
    public var customMirror: Mirror { Mirror(self, children: ["endpoint": endpoint]) }
}
