extension HTTP.Challenge {
    /// Why a bearer token was refused (RFC 6750 section 3.1).
    public struct BearerError: Sendable, Hashable {
        /// The kind of refusal; open, for other profiles' own.
        public struct Code: Hashable, Sendable, CustomStringConvertible {
            public let description: String

            /// Names a kind of refusal.
            public init(_ description: String) { self.description = description }

            /// The request is malformed.
            public static let invalidRequest = Code("invalid_request")
            /// The token expired, was revoked or is malformed: a new one may help.
            public static let invalidToken = Code("invalid_token")
            /// The token is good for less than was asked for: a refreshed one is no better.
            public static let insufficientScope = Code("insufficient_scope")
            /// The server wants a nonce in the proof (RFC 9449 section 9).
            public static let useDPoPNonce = Code("use_dpop_nonce")
        }

        /// The kind of refusal.
        public let code: Code
        /// The server's words for developers, if it has any.
        public let text: String?
        /// The scopes that are needed, if the server says.
        public let scopes: [String]
    }

    /// Why the token was refused, of a `Bearer` or `DPoP` challenge; `nil` of others, and of one that
    /// only asks for a token.
    public var bearerError: BearerError? {
        guard isScheme("Bearer") || isScheme("DPoP"), let code = self["error"] else { return nil }
        return BearerError(
            code: BearerError.Code(code),
            text: self["error_description"],
            scopes: (self["scope"] ?? "").split(separator: " ").map(String.init)
        )
    }
}
