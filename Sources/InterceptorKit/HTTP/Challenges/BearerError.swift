extension HTTP.Challenge {
    /// The reason why a bearer token was refused (RFC 6750 section 3.1).
    public struct BearerError: Sendable, Hashable {
        /// The kind of refusal; other profiles may add their own.
        public struct Code: Hashable, Sendable, CustomStringConvertible {
            public let description: String

            /// Creates a kind of refusal.
            public init(_ description: String) { self.description = description }

            /// The request is malformed.
            public static let invalidRequest = Code("invalid_request")
            /// The token expired, was revoked or is malformed: a new one may help.
            public static let invalidToken = Code("invalid_token")
            /// The token's scope is too small: a refreshed token is no better.
            public static let insufficientScope = Code("insufficient_scope")
            /// The server requires a nonce in the proof (RFC 9449 section 9).
            public static let useDPoPNonce = Code("use_dpop_nonce")
        }

        /// The kind of refusal.
        public let code: Code
        /// The server's text for developers, if there is one.
        public let text: String?
        /// The required scopes, if the server names them.
        public let scopes: [String]
    }

    /// The reason why the token was refused, for a `Bearer` or `DPoP` challenge; `nil` for others, and for
    /// one that only asks for a token.
    public var bearerError: BearerError? {
        guard isScheme("Bearer") || isScheme("DPoP"), let code = self["error"] else { return nil }
        return BearerError(
            code: BearerError.Code(code),
            text: self["error_description"],
            scopes: (self["scope"] ?? "").split(at: " ").map(String.init)
        )
    }
}
