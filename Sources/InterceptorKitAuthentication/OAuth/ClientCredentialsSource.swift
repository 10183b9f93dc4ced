public import InterceptorKit

/// Tokens for an application itself (RFC 6749 section 4.4): asked for with its own id and secret.
public struct ClientCredentialsSource: CredentialSource {
    private let endpoint: TokenEndpoint
    private let parameters: [(name: String, value: String)]

    /// Creates a source.
    /// - Parameters:
    ///   - endpoint: Where tokens are given out, and who asks.
    ///   - scopes: What the token is to be good for. Defaults to the server's choice.
    ///   - parameters: More parameters, as `audience` where a server wants it. Defaults to none.
    public init(
        at endpoint: TokenEndpoint,
        scopes: [String] = [],
        parameters: KeyValuePairs<String, String> = [:]
    ) {
        self.endpoint = endpoint
        self.parameters =
            [("grant_type", "client_credentials"), ("scope", scopes.joined(separator: " "))]
            + parameters.map { ($0.key, $0.value) }
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
