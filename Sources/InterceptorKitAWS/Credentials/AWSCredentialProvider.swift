import InterceptorKit

/// Where credentials of AWS come from: a variable, a file, a process or a service.
///
/// Each of the SDKs' standard providers is a static member; write your own as a closure. ``AWSSigningKeys``
/// refreshes what one provides.
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
    ///   - provide: Gets the credentials, each time again. It limits its own time. It throws an
    ///     `TokenError` with `TokenError.Code.notConfigured` if it does not
    ///     apply, after which a chain goes on; any other error ends the chain.
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

    /// Returns providers that are tried in order, until one applies.
    ///
    /// A provider that applies and fails ends the chain: what comes after it would be another identity. For
    /// the same reason ``AWSSigningKeys`` refreshes by the link that gave the first credentials.
    public static func chain(_ links: [AWSCredentialProvider]) -> AWSCredentialProvider {
        AWSCredentialProvider(links: links)
    }

    /// Gets credentials once, without refresh.
    /// - Throws: `TokenError`, `CancellationError`, or the error of a provider of your own.
    public func credentials(in environment: AWSEnvironment) async throws -> AWSCredentials {
        try await resolve(in: environment).credentials
    }

    /// Gets credentials, and the link that gave them.
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
