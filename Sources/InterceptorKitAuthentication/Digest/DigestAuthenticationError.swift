public import InterceptorKit

/// An error for a response that did not prove to come from the server.
public struct DigestAuthenticationError: CodedError, Sendable, Hashable {
    /// The kind of failure.
    public struct Code: ErrorCode {
        /// The error with these codes.
        public typealias Failure = DigestAuthenticationError

        public let description: String

        /// The server's proof that it knows the password is wrong, or belongs to another request.
        public static let wrongServerProof = Code(description: "wrongServerProof")
        /// The server gave no proof that can be checked, and a proof is required.
        public static let missingServerProof = Code(description: "missingServerProof")
    }

    /// The kind of failure.
    public let code: Code
    /// What happened and what to do, in whole sentences.
    public let message: String

    static let wrongServerProof = DigestAuthenticationError(
        code: .wrongServerProof,
        message: "The server did not prove that it knows the password: the rspauth of its "
            + "Authentication-Info is wrong, so another server may have answered. The request was sent "
            + "and may have been executed. If the server is known to compute it differently, use "
            + "serverProof: .ignored."
    )

    static let missingServerProof = DigestAuthenticationError(
        code: .missingServerProof,
        message: "The server gave no proof that it knows the password (rspauth) which could be "
            + "checked, and a proof is required. The request was sent and may have been carried out. If "
            + "the server sends none, use serverProof: .checked and TLS."
    )
}

extension DigestAuthenticationError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}
