#if JWT
public import InterceptorKit

/// A way to find out what an access token says, and whether to believe it.
public protocol AccessTokenVerifier: Sendable {
    /// Throws if the settings cannot accept any token, or would accept tokens that nobody vouches for. Then no chain is
    /// built with the verifier. Does nothing by default.
    func validate() throws

    /// Verifies a token.
    /// - Parameters:
    ///   - token: The token as the caller sent it, not empty.
    ///   - call: The call that it came with, whose runtime has the clock, and whose deadline limits the wait.
    /// - Throws: An ``AccessTokenError`` if the token is refused; any other error if nobody can tell.
    nonisolated(nonsending) func verify(_ token: String, on call: Call) async throws -> AccessToken
}

extension AccessTokenVerifier {
    public func validate() throws {}
}
#endif
