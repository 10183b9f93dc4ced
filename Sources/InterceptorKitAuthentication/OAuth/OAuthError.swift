public import InterceptorKit

/// An error for a token request that got no token.
public struct OAuthError: CodedError, Sendable, Hashable {
    /// The kind of failure, named as in RFC 6749 section 5.2 or RFC 8693 section 2.2.2, or in camel case for a local
    /// one.
    public struct Code: ErrorCode {
        public let description: String

        /// Creates a kind of failure.
        public init(_ description: String) { self.description = description }

        // RFC 6749 section 5.2, RFC 8628 section 3.5, RFC 8693 section 2.2.2 and RFC 9449 sections 5 and 8.
        static let registered: Set<String> = [
            "invalid_request", "invalid_client", "invalid_grant", "unauthorized_client",
            "unsupported_grant_type", "invalid_scope", "authorization_pending", "slow_down",
            "access_denied", "expired_token", "invalid_target", "invalid_dpop_proof",
            "use_dpop_nonce",
        ]

        /// A parameter is missing, repeated or unknown.
        public static let invalidRequest = Code("invalid_request")
        /// The server does not know the client, or could not authenticate it.
        public static let invalidClient = Code("invalid_client")
        /// The grant, such as a refresh token, is no longer valid; someone has to sign in.
        public static let invalidGrant = Code("invalid_grant")
        /// The client may not use this grant type.
        public static let unauthorizedClient = Code("unauthorized_client")
        /// The server does not support this grant type.
        public static let unsupportedGrantType = Code("unsupported_grant_type")
        /// The scope is unknown, malformed, or wider than the granted one.
        public static let invalidScope = Code("invalid_scope")
        /// The server issues no token for the audience or resource.
        public static let invalidTarget = Code("invalid_target")
        /// The server refused with a status only.
        public static let refused = Code("refused")
        /// The server's response is too large, isn't JSON, or has no usable token.
        public static let malformedResponse = Code("malformedResponse")
        /// The token is neither a bearer nor a DPoP token.
        public static let unsupportedTokenType = Code("unsupportedTokenType")
    }

    public let code: Code
    /// The status of the server's response.
    public let status: HTTP.Status
    /// The failure and the remedy, in whole sentences with the server's text, but without the secrets sent to the
    /// server.
    public let message: String
    /// The wait that the server asked for (`Retry-After`); `CredentialCache` asks again only after it.
    public let retryAfter: Duration?
    /// Whether the server itself stated a refusal, whatever the status: GitHub and Slack do so with 200.
    private let isRefusal: Bool

    init(
        _ code: Code,
        _ status: HTTP.Status,
        _ message: String,
        retryAfter: Duration? = nil,
        isRefusal: Bool = false
    ) {
        self.code = code
        self.status = status
        self.message = message
        self.retryAfter = retryAfter
        self.isRefusal = isRefusal
    }
}

extension OAuthError: SessionEndingError {
    /// Whether the server said that the grant is no longer valid: `invalid_grant` (RFC 6749 section 5.2), GitHub's
    /// `bad_refresh_token` or Slack's `invalid_refresh_token`. A refused client or scope ends no session.
    public var endsSession: Bool {
        [.invalidGrant, Code("bad_refresh_token"), Code("invalid_refresh_token")].contains(code)
    }
}

extension OAuthError: RefreshTokenUseError {
    /// Whether the server refused before it used the refresh token: any status from 400 to 499, 503, or an error in a
    /// success, unless the error ``endsSession``. Other failures may have come after the token was rotated.
    public var isRefreshTokenUnused: Bool {
        !endsSession
            && (400..<500 ~= status.code || status == 503 || status.isSuccess && isRefusal)
    }
}

extension OAuthError: ClassifiedError {
    /// Rejected until the time that the server names; permanent if it names none.
    public var classification: Classification {
        let reason = "token endpoint \(status.code)"
        return retryAfter.map { Classification(.rejected, reason: reason, retryAfter: $0) }
            ?? .permanent(reason)
    }
}
