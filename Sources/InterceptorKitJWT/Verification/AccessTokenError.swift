#if JWT
public import InterceptorKit

/// The reason why an access token, or the proof beside it, was refused, for the server's own logs. The caller is told no
/// more than RFC 6750 says.
public struct AccessTokenError: CodedError, Sendable, Hashable {
    /// The kind of refusal.
    public struct Code: ErrorCode {
        public let description: String

        /// The token is no token of this kind, or is not well formed.
        public static let malformed = Code(description: "malformed")
    }

    /// The kind of refusal.
    public let code: Code
    /// The reason, in whole sentences without the token.
    public let message: String

    /// Creates an error, for a verifier of your own.
    /// - Parameters:
    ///   - code: The kind of refusal.
    ///   - message: The reason, in whole sentences without secrets, because messages are logged.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
#endif
