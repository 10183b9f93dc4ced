public import InterceptorKit

/// An error for a signature that was not accepted, for the verifier's own logs. Tell the sender only that the signature
/// was not accepted.
public struct SignatureVerificationError: CodedError, Sendable, Hashable {
    /// The kind of refusal.
    public struct Code: ErrorCode {
        public let description: String

        /// The message has no signature, or none with the required label and tag.
        public static let unsigned = Code(description: "unsigned")
        /// The signature's fields are malformed.
        public static let malformed = Code(description: "malformed")
        /// There are more signatures than the limit.
        public static let tooManySignatures = Code(description: "tooManySignatures")
        /// A required component is not covered.
        public static let uncovered = Code(description: "uncovered")
        /// A covered component is missing or cannot be covered.
        public static let component = Code(description: "component")
        /// A required parameter is missing.
        public static let missingParameter = Code(description: "missingParameter")
        /// The signature is too old.
        public static let tooOld = Code(description: "tooOld")
        /// The signature's time is in the future.
        public static let notYetValid = Code(description: "notYetValid")
        /// The signature has expired by its own parameters.
        public static let expired = Code(description: "expired")
        /// There is no key with that id.
        public static let unknownKey = Code(description: "unknownKey")
        /// The algorithm is not accepted, or not the key's.
        public static let algorithm = Code(description: "algorithm")
        /// The signature was not made for this message with this key.
        public static let mismatch = Code(description: "mismatch")
        /// The content doesn't match the covered digest.
        public static let content = Code(description: "content")
        /// The nonce was used before.
        public static let replayed = Code(description: "replayed")
        /// The nonce store is full.
        public static let nonceStoreFull = Code(description: "nonceStoreFull")
    }

    /// The kind of refusal.
    public let code: Code
    /// The label of the signature; `nil` if the error is about no particular signature.
    public let label: String?
    /// The mistake, in whole sentences without the signature.
    public let message: String

    /// Creates an error, for your own ``RequestVerification``.
    /// - Parameters:
    ///   - code: The kind of refusal.
    ///   - label: The label of the signature. Defaults to none.
    /// - message: The mistake, in whole sentences without secrets, because messages are logged.
    public init(_ code: Code, label: String? = nil, message: String) {
        self.init(code, label, message)
    }

    init(_ code: Code, _ label: String?, _ message: String) {
        self.code = code
        self.label = label
        self.message = message
    }
}

extension SignatureVerificationError {
    package static func malformed(_ message: String) -> Self { Self(.malformed, nil, message) }

    static let unsigned = Self(.unsigned, nil, "There is no signature.")

    static let contentNotInMemory = Self(.content, nil, "The content is not in memory.")

    static let inexactFields = Self(
        .component,
        nil,
        "A field that the signature covers has bytes that are not UTF-8."
    )

    static func unknownKey(_ id: String) -> Self {
        Self(.unknownKey, nil, "There is no key \(HTTP.printable(id)) for this request.")
    }

    static func mismatch(_ keyID: String) -> Self {
        Self(
            .mismatch,
            nil,
            "The signature does not match this request and the key \(HTTP.printable(keyID))."
        )
    }

    /// Throws unless a signature was made within the tolerance.
    /// - Parameters:
    /// - age: The signature's age in seconds; negative for the future.
    ///   - tolerance: The largest difference from now, either way.
    static func checkAge(_ age: Double, _ tolerance: Duration) throws(Self) {
        if age > tolerance.inSeconds { throw Self(.tooOld, nil, "The signature is too old.") }
        // NaN is refused too.
        guard age >= -tolerance.inSeconds else {
            throw Self(
                .notYetValid,
                nil,
                "The signature's time is in the future. Compare the clocks of sender and receiver."
            )
        }
    }
}
