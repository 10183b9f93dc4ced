extension HTTP.Challenge {
    /// The reason why a bearer token was refused (RFC 6750 section 3.1); other profiles may add their own.
    public struct BearerError: Hashable, Sendable, CustomStringConvertible {
        public let description: String

        /// Creates a reason.
        public init(_ description: String) { self.description = description }

        /// The request is malformed.
        public static let invalidRequest = Self("invalid_request")
        /// The token has expired, was revoked or is malformed; a new one may help.
        public static let invalidToken = Self("invalid_token")
        /// The token's scope is too small; a refresh does not help. ``HTTP/Challenge/scopes`` lists the required
        /// scopes.
        public static let insufficientScope = Self("insufficient_scope")
        /// The sign-in is too weak or too long ago (RFC 9470 section 3); a refresh does not help.
        public static let insufficientUserAuthentication = Self("insufficient_user_authentication")
        /// The token lacks claims that the challenge names (OpenID Continuous Access Evaluation).
        public static let insufficientClaims = Self("insufficient_claims")
        /// The server requires a nonce in the proof (RFC 9449 section 9).
        public static let useDPoPNonce = Self("use_dpop_nonce")
        /// The proof of the token's key was refused (RFC 9449 section 12.2); a new one may help.
        public static let invalidDPoPProof = Self("invalid_dpop_proof")
    }

    /// The reason why a `Bearer` or `DPoP` token was refused; `nil` for other schemes, and for a challenge that
    /// only asks for a token. The parameter `error_description` has the server's text for developers.
    public var bearerError: BearerError? {
        guard isScheme("Bearer") || isScheme("DPoP") else { return nil }
        return self["error"].map(BearerError.init)
    }

    /// The required scopes, if the server names them.
    public var scopes: [String] { (self["scope"] ?? "").split(at: " ").map(String.init) }
}
