#if JWT
public import InterceptorKit

/// A way to find out what an access token says, and whether to believe it.
public protocol AccessTokenVerifier: Sendable {
    /// Verifies a token.
    /// - Parameters:
    ///   - token: The token as the caller sent it, not empty.
    ///   - call: The call that it came with, whose runtime has the clock, and whose deadline limits the wait.
    /// - Throws: An ``AccessTokenError`` if the token is refused; any other error if nobody can tell.
    nonisolated(nonsending) func verify(_ token: String, on call: Call) async throws -> AccessToken
}
#endif
