#if JWT
public import InterceptorKit

/// The reason why an access token, or the proof beside it, was refused, for the server's own logs. The caller is told no
/// more than RFC 6750 says.
public struct AccessTokenError: CodedError, Sendable, Hashable {
    /// The kind of refusal.
    public struct Code: ErrorCode {
        public let description: String

        /// Creates a kind of refusal, for a verifier of your own. The caller is told `invalid_token`.
        public init(description: String) { self.description = description }

        // What the request says.

        /// The request has no access token.
        public static let missing = Code(description: "missing")
        /// The request has credentials that cannot be read, or more than one.
        public static let invalidRequest = Code(description: "invalidRequest")

        // What the token says.

        /// The token is no token of this kind, or is not well formed.
        public static let malformed = Code(description: "malformed")
        /// The token is longer than the limit.
        public static let tooLong = Code(description: "tooLong")
        /// The token's algorithm is not accepted.
        public static let algorithm = Code(description: "algorithm")
        /// The token's type is not accepted.
        public static let type = Code(description: "type")
        /// The token has an extension that must be understood, and is not (`crit`).
        public static let critical = Code(description: "critical")
        /// The issuer has no key with the token's id and algorithm.
        public static let unknownKey = Code(description: "unknownKey")
        /// The signature is not that of the issuer's key.
        public static let mismatch = Code(description: "mismatch")
        /// Another issuer made the token.
        public static let issuer = Code(description: "issuer")
        /// The token is for another service.
        public static let audience = Code(description: "audience")
        /// The token has expired.
        public static let expired = Code(description: "expired")
        /// The token's time begins later.
        public static let notYetValid = Code(description: "notYetValid")
        /// The token lacks a claim.
        public static let missingClaim = Code(description: "missingClaim")
        /// The issuer says that the token is not active (RFC 7662 section 2.2).
        public static let notActive = Code(description: "notActive")

        // What the token is bound to.

        /// The token is bound to a key or certificate that the caller did not use, or in a way that is not known.
        public static let binding = Code(description: "binding")

        // What the proof of a token's key says.

        /// The request has no proof.
        public static let proofMissing = Code(description: "proofMissing")
        /// The proof is not well formed, or there are several.
        public static let proofMalformed = Code(description: "proofMalformed")
        /// The proof's algorithm is not accepted.
        public static let proofAlgorithm = Code(description: "proofAlgorithm")
        /// The proof's key is not a public key for its algorithm.
        public static let proofKey = Code(description: "proofKey")
        /// The signature is not that of the proof's key.
        public static let proofMismatch = Code(description: "proofMismatch")
        /// The proof was made for another method or URL.
        public static let proofTarget = Code(description: "proofTarget")
        /// The proof was made too long ago, or in the future.
        public static let proofTime = Code(description: "proofTime")
        /// The proof was made for another token.
        public static let proofToken = Code(description: "proofToken")
        /// The proof has no nonce of this server, or an old one.
        public static let proofNonce = Code(description: "proofNonce")
        /// The proof was used before.
        public static let proofReplayed = Code(description: "proofReplayed")

        // What the service requires beyond a valid token.

        /// The token lacks a scope.
        public static let insufficientScope = Code(description: "insufficientScope")
        /// The user signed in too long ago, or not strongly enough.
        public static let insufficientAuthentication = Code(
            description: "insufficientAuthentication"
        )
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

extension AccessTokenError {
    static func missingClaim(_ name: String) -> Self {
        Self(.missingClaim, "The token lacks the claim \(HTTP.printable(name)).")
    }
}
#endif
