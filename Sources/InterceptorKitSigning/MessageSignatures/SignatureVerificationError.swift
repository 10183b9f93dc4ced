public import InterceptorKit

/// Why a message's signature was not accepted, for the verifier's own logs. Tell the sender no more
/// than that it was not.
public struct SignatureVerificationError: CodedError, Sendable, Hashable {
    /// The kind of refusal.
    public struct Code: ErrorCode {
        /// The error that has such codes.
        public typealias Failure = SignatureVerificationError

        public let description: String

        /// The message has no signature, or none with the label and tag required.
        public static let unsigned = Code(description: "unsigned")
        /// The signature's fields are malformed.
        public static let malformed = Code(description: "malformed")
        /// There are more signatures than are looked at.
        public static let tooManySignatures = Code(description: "tooManySignatures")
        /// A component that has to be covered is not.
        public static let uncovered = Code(description: "uncovered")
        /// A component that is covered is missing or cannot be covered.
        public static let component = Code(description: "component")
        /// A parameter is missing that is required.
        public static let missingParameter = Code(description: "missingParameter")
        /// It was made too long ago.
        public static let tooOld = Code(description: "tooOld")
        /// It was made in the future.
        public static let notYetValid = Code(description: "notYetValid")
        /// It says itself that it ended to be valid.
        public static let expired = Code(description: "expired")
        /// There is no key of that name.
        public static let unknownKey = Code(description: "unknownKey")
        /// The algorithm is not accepted, or not the key's.
        public static let algorithm = Code(description: "algorithm")
        /// The signature is not one of this message with this key.
        public static let mismatch = Code(description: "mismatch")
        /// The content is not what the covered digest was made of.
        public static let content = Code(description: "content")
        /// The nonce was used before.
        public static let replayed = Code(description: "replayed")
        /// There is no room to remember the nonce.
        public static let nonceStoreFull = Code(description: "nonceStoreFull")
    }

    /// The kind of refusal.
    public let code: Code
    /// The label of the signature; `nil` if it is about none in particular.
    public let label: String?
    /// What is wrong, in whole sentences; never the signature.
    public let message: String

    /// Creates a refusal, for a ``RequestVerification`` of your own.
    /// - Parameters:
    ///   - code: The kind of refusal.
    ///   - label: The label of the signature. Defaults to none.
    ///   - message: What is wrong, in whole sentences, without secrets: it is logged.
    public init(_ code: Code, label: String? = nil, message: String) {
        self.init(code, label, message)
    }

    init(_ code: Code, _ label: String?, _ message: String) {
        self.code = code
        self.label = label
        self.message = message
    }
}

extension SignatureVerificationError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}
