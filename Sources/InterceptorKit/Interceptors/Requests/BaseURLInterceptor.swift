/// Completes requests for relative URLs.
///
/// `/orders/7` under the base `https://api.example.com/v1` goes to
/// `https://api.example.com/v1/orders/7`; a request for a complete URL passes unchanged. Put it above
/// whatever looks at a request's target: redirects, caches, credentials, signatures.
public struct BaseURLInterceptor: Interceptor {
    private let base: HTTP.URL

    /// Creates an interceptor.
    /// - Parameter base: A complete http or https URL; its path goes in front of each request's. One
    ///   that is not fails when a pipeline is built.
    public init(_ base: HTTP.URL) { self.base = base }

    public var placement: Placement? { .requestShaping }

    public func validate() throws { try base.validate() }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        guard chain.input.url.isRelative else { return try await chain.proceed() }
        return try await chain.proceed { $0.url = $0.url.joined(to: base) }
    }
}
