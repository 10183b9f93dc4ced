/// Why a request could not be given a credential.
public struct TokenError: Error, Sendable, Hashable {
    /// The kind of failure.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String

        /// The call requires a credential and there is none.
        public static let missingCredential = Code(description: "missingCredential")
        /// No new credential came in time.
        public static let renewalTimedOut = Code(description: "renewalTimedOut")
        /// The interceptor's origins cannot work.
        public static let invalidOrigins = Code(description: "invalidOrigins")
    }

    /// The kind of failure.
    public let code: Code
    /// What happened and what to do, in whole sentences.
    public let message: String

    static let missingCredential = TokenError(
        code: .missingCredential,
        message:
            "The call requires a credential and the source has none. Sign in first, or send it "
            + "with credentialUse = .automatic."
    )
    static let renewalTimedOut = TokenError(
        code: .renewalTimedOut,
        message: "No new credential came in the time this call had for it. The renewal goes on and "
            + "its result will be used by later calls."
    )
    static let noOrigins = TokenError(
        code: .invalidOrigins,
        message: "No origin is allowed to receive the credential. Name at least one."
    )
}

extension TokenError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}
