/// Completes the relative URLs of requests with a base URL.
///
/// | base | request | sent |
/// |---|---|---|
/// | `https://a.example/v1` | `/orders/7` or `orders/7` | `https://a.example/v1/orders/7` |
/// | `https://a.example/v1/` | `/orders/` | `https://a.example/v1/orders/` |
/// | `https://a.example/v1` | `?page=2` | `https://a.example/v1?page=2` |
/// | `https://a.example/v1?app=x` | `/orders?page=2` | `https://a.example/v1/orders?app=x&page=2` |
/// | `https://a.example/v1` | `https://b.example/x` | `https://b.example/x`, or refused |
///
/// The base's path precedes the request's, slashes between the two become one, a slash at the end stays, and the base's
/// query precedes the request's. Fragments are dropped. A request with a dot segment (`..` or `.`, percent-encoded or
/// not) is refused, because an external identifier could lead elsewhere that way. So is one with a host but no scheme
/// (`//b.example/x`).
///
/// Put it above interceptors that use a request's target: redirects, caches, credentials, signatures.
public struct BaseURLInterceptor: Interceptor {
    private let base: HTTP.URL
    private let refusesOtherOrigins: Bool

    /// Creates an interceptor.
    /// - Parameters:
    ///   - base: A complete http or https URL whose path precedes each request's. Building a pipeline with anything
    ///     else fails.
    ///   - refusesOtherOrigins: Whether requests for complete URLs of another origin are refused. Defaults to `false`,
    ///     which passes them unchanged. Redirects have their own policy.
    public init(_ base: HTTP.URL, refusesOtherOrigins: Bool = false) {
        self.base = base
        self.refusesOtherOrigins = refusesOtherOrigins
    }

    /// Creates an interceptor from text known only at run time, for example from a configuration.
    /// - Parameters:
    ///   - base: A complete http or https URL. Building a pipeline with anything else fails.
    ///   - refusesOtherOrigins: Whether requests for complete URLs of another origin are refused. Defaults to `false`.
    public init(string base: String, refusesOtherOrigins: Bool = false) {
        self.init(HTTP.URL(unvalidated: base), refusesOtherOrigins: refusesOtherOrigins)
    }

    public var placement: Placement? { .requestPreparation }

    public var keepsDeadline: Bool { true }

    public func validate() throws { try base.validate() }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        let url = chain.input.url
        guard url.isRelative else {
            try check(url)
            return try await chain.proceed()
        }
        let complete = try url.completed(by: base)
        return try await chain.proceed { $0.url = complete }
    }

    private func check(_ url: HTTP.URL) throws {
        try url.validate()
        guard refusesOtherOrigins, let origin = url.origin, origin != base.origin else { return }
        throw HTTP.RequestError(
            .foreignOrigin,
            "The request is for \(origin), and this client sends to \(base.originText ?? "") alone. Give a "
                + "path, or send with a client that may go there."
        )
    }
}
