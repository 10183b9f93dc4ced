import InterceptorKit

/// A source of AWS credentials: a variable, a file, a process or a service.
///
/// The SDKs' standard providers are static members; a closure makes a custom provider. ``AWSSigningKeys`` refreshes a
/// provider's credentials.
///
/// ```swift
/// let provider = AWSCredentialProvider.assumedRole(
///     "arn:aws:iam::123456789012:role/reader",
///     by: .default
/// )
/// ```
public struct AWSCredentialProvider: Sendable {
    /// The name in errors, such as `environment`.
    public let name: String
    private let links: [AWSCredentialProvider]
    private let provide: @Sendable (AWSEnvironment) async throws -> AWSCredentials

    /// Creates a provider.
    /// - Parameters:
    ///   - name: The name in errors.
    ///   - provide: Returns the credentials, and is called again for each refresh. It must limit its own time. If it
    ///     does not apply, it throws an `TokenError` with
    ///     `TokenError.Code.notConfigured`, and a chain continues with the next provider; any
    ///     other error ends the chain.
    public init(
        _ name: String,
        provide: @escaping @Sendable (AWSEnvironment) async throws -> AWSCredentials
    ) {
        self.name = name
        self.provide = provide
        links = []
    }

    private init(links: [AWSCredentialProvider]) {
        name = "chain"
        self.links = links
        provide = { _ in throw TokenError(.noCredentials, "The chain is empty.") }
    }

    /// Returns a provider that tries others in order, until one applies.
    ///
    /// A provider that applies and fails ends the chain, because the next one would give another identity. For the same
    /// reason, ``AWSSigningKeys`` refreshes from the link that gave the first credentials.
    public static func chain(_ links: [AWSCredentialProvider]) -> AWSCredentialProvider {
        AWSCredentialProvider(links: links)
    }

    /// Returns credentials, without caching or refreshing them.
    /// - Throws: `TokenError`, `CancellationError`, or the error of a custom provider.
    public func credentials(in environment: AWSEnvironment) async throws -> AWSCredentials {
        try await resolve(in: environment).credentials
    }

    /// Returns credentials and the link that gave them.
    func resolve(
        in environment: AWSEnvironment
    ) async throws -> (credentials: AWSCredentials, link: AWSCredentialProvider) {
        guard !links.isEmpty else {
            let credentials = try await provide(environment)
            try credentials.validate()
            return (credentials, self)
        }
        var tried: [String] = []
        for link in links {
            do {
                return try await link.resolve(in: environment)
            } catch let error as TokenError {
                switch error.code {
                case .notConfigured:
                    tried.append(TokenError.link(link.name, error.message))
                case .noCredentials where !error.tried.isEmpty:
                    tried += error.tried
                default:
                    throw error.ending(link.name, after: tried)
                }
            }
        }
        throw TokenError(.noCredentials, "").ending(nil, after: tried)
    }
}
