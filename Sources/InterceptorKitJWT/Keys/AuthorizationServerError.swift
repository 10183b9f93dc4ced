#if JWT
public import InterceptorKit

/// An error for an authorization server that did not give what it takes to verify a token. The token may be good: a
/// server answers its caller with 503, not with 401.
public struct AuthorizationServerError: CodedError, Sendable {
    /// The kind of failure.
    public struct Code: ErrorCode {
        public let description: String

        /// The server did not answer, or with another status than 200, such as a redirect, which is not followed.
        public static let unreachable = Code(description: "unreachable")
        /// The call's deadline came before the server's answer.
        public static let timedOut = Code(description: "timedOut")
        /// The metadata is too large, not JSON, or without `jwks_uri`.
        public static let malformedMetadata = Code(description: "malformedMetadata")
        /// The metadata is that of another issuer.
        public static let issuerMismatch = Code(description: "issuerMismatch")
        /// The metadata refers to keys at an origin that is neither the issuer's nor one that you listed.
        public static let untrustedOrigin = Code(description: "untrustedOrigin")
        /// The key set is too large, or no JSON Web Key Set.
        public static let malformedKeys = Code(description: "malformedKeys")
        /// The key set has no key that can verify a signature here.
        public static let noKeys = Code(description: "noKeys")
        /// The response about a token is too large, not JSON, or does not say whether the token is active.
        public static let malformedIntrospection = Code(description: "malformedIntrospection")
    }

    /// The kind of failure.
    public let code: Code
    /// The failure and the remedy, in whole sentences.
    public let message: String
    /// The error of the client; `nil` if it got a response.
    public let cause: (any Error)?
    /// The wait that the server asked for (`Retry-After`); `nil` if it asked for none.
    public let retryAfter: Duration?

    init(
        _ code: Code,
        _ message: String,
        cause: (any Error)? = nil,
        retryAfter: Duration? = nil
    ) {
        self.code = code
        self.message = message
        self.cause = cause
        self.retryAfter = retryAfter
    }
}

extension AuthorizationServerError: ClassifiedError {
    /// Transient, because the server may answer better later.
    public var classification: Classification {
        Classification(
            .transient,
            reason: "authorization server \(code)",
            retryAfter: retryAfter,
            isTimeout: code == .timedOut
        )
    }
}

extension AuthorizationServerError {
    static func malformedKeys(upTo keys: Int, bytes: Int) -> AuthorizationServerError {
        AuthorizationServerError(
            .malformedKeys,
            "The key set is no JSON object with an array of keys (RFC 7517 section 5), or has more than "
                + "\(keys) keys or \(bytes) bytes. Look at what its address answers."
        )
    }

    static func noKeys(of count: Int) -> AuthorizationServerError {
        AuthorizationServerError(
            .noKeys,
            "None of the \(count) keys in the set can verify a signature: each is of an unknown kind, "
                + "incomplete, shorter than 2048 bits, for another use, or not public."
        )
    }

    static func late(_ issuer: String) -> AuthorizationServerError {
        AuthorizationServerError(
            .timedOut,
            "The keys of \(HTTP.printable(issuer)) did not come before the call's deadline. They are still "
                + "being fetched, for later calls."
        )
    }
}
#endif
