public import InterceptorKit

/// Why a token endpoint gave no token.
public struct OAuthError: CodedError, Sendable, Hashable {
    /// The kind of failure: what the server calls it (RFC 6749 section 5.2, RFC 8693 section 2.2.2), or
    /// one of our own, in camel case.
    public struct Code: ErrorCode {
        /// The error that has such codes.
        public typealias Failure = OAuthError

        public let description: String

        /// Names a kind of failure.
        public init(_ description: String) { self.description = description }

        /// A parameter is missing, twice there or not understood.
        public static let invalidRequest = Code("invalid_request")
        /// The server does not know the client, or it has not proved itself.
        public static let invalidClient = Code("invalid_client")
        /// What the token was asked for with is no longer good: someone has to sign in.
        public static let invalidGrant = Code("invalid_grant")
        /// The client may not ask this way.
        public static let unauthorizedClient = Code("unauthorized_client")
        /// The server does not know this way of asking.
        public static let unsupportedGrantType = Code("unsupported_grant_type")
        /// The scope is unknown, malformed, or more than was granted.
        public static let invalidScope = Code("invalid_scope")
        /// No token is given for that audience or resource.
        public static let invalidTarget = Code("invalid_target")
        /// The server refused with a status alone.
        public static let refused = Code("refused")
        /// The server's answer is too large, no JSON, or has no usable token.
        public static let malformedResponse = Code("malformedResponse")
        /// The token is neither a bearer nor a DPoP token.
        public static let unsupportedTokenType = Code("unsupportedTokenType")
    }

    /// The kind of failure.
    public let code: Code
    /// How the server answered.
    public let status: HTTP.Status
    /// What happened and what to do, in whole sentences; the server's own words too, without what it was
    /// sent as secret.
    public let message: String

    init(_ code: Code, _ status: HTTP.Status, _ message: String) {
        self.code = code
        self.status = status
        self.message = message
    }
}

extension OAuthError: SessionEndingError {
    /// Whether asking again comes to the same until someone has signed in: after `invalid_grant`.
    public var endsSession: Bool { code == .invalidGrant }
}

extension OAuthError: RefreshTokenUseError {
    /// Whether the server refused before it looked at the refresh token: any refusal by a status from
    /// 400 to 499 or 503 but `invalid_grant`. Others may have come after it was rotated.
    public var isRefreshTokenUnused: Bool {
        !endsSession && (400..<500 ~= status.code || status == 503)
    }
}

extension OAuthError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}
