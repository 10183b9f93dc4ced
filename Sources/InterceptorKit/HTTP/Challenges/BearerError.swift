extension HTTP.Challenge {
    /// The reason why a bearer token was refused (RFC 6750 section 3.1); other profiles may add their own.
    public struct BearerError: Hashable, Sendable, CustomStringConvertible {
        public let description: String

        /// Creates a reason.
        public init(_ description: String) { self.description = description }

        /// The request is malformed.
        public static let invalidRequest = Self("invalid_request")
        /// The token expired, was revoked or is malformed: a new one may help.
        public static let invalidToken = Self("invalid_token")
        /// The token's scope is too small: a refreshed token is no better. ``HTTP/Challenge/scopes`` has the required
        /// ones.
        public static let insufficientScope = Self("insufficient_scope")
        /// The server requires a nonce in the proof (RFC 9449 section 9).
        public static let useDPoPNonce = Self("use_dpop_nonce")
    }

    /// The reason why the token was refused, for a `Bearer` or `DPoP` challenge; `nil` for others, and for
    /// one that only asks for a token. The server's text for developers is the parameter `error_description`.
    public var bearerError: BearerError? {
        guard isScheme("Bearer") || isScheme("DPoP") else { return nil }
        return self["error"].map(BearerError.init)
    }

    /// The required scopes, if the server names them.
    public var scopes: [String] { (self["scope"] ?? "").split(at: " ").map(String.init) }
}
