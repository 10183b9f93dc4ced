/// An error for a request that could not be signed and was not sent, or, with ``Code/changedAfterSigning``, for a
/// refused signature.
public struct SigningError: CodedError, Sendable, Hashable {
    /// The kind of failure.
    public struct Code: ErrorCode {
        public let description: String

        /// Creates a kind of failure, for your own schemes.
        public init(description: String) { self.description = description }

        /// There is no key to sign with.
        public static let missingKey = Code(description: "missingKey")
        /// A key's id cannot be sent.
        public static let invalidKeyID = Code(description: "invalidKeyID")
        /// A key's type or size does not suit the scheme.
        public static let unsuitableKey = Code(description: "unsuitableKey")
        /// The body can only be read once, so it cannot be both signed and sent.
        public static let unsignableBody = Code(description: "unsignableBody")
        /// A field that must be covered is missing.
        public static let missingField = Code(description: "missingField")
        /// A component cannot be covered: it is unknown, contradicts itself or has no single value.
        public static let invalidComponent = Code(description: "invalidComponent")
        /// The parameters of a signature are malformed.
        public static let malformedParameters = Code(description: "malformedParameters")
        /// The message already has a signature with that label.
        public static let labelInUse = Code(description: "labelInUse")
        /// A signed part was changed between signing and sending, and the server refused the request.
        public static let changedAfterSigning = Code(description: "changedAfterSigning")
        /// The server asks for a signature that cannot be made.
        public static let unfulfillable = Code(description: "unfulfillable")
        /// A date doesn't fit into a timestamp.
        public static let invalidDate = Code(description: "invalidDate")
        /// A scheme was created with a value that cannot work.
        public static let invalidScheme = Code(description: "invalidScheme")
    }

    public let code: Code
    public let message: String

    /// Creates an error, for your own schemes.
    /// - Parameters:
    ///   - code: The kind of failure.
    /// - message: The failure and the remedy, in whole sentences without secrets.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    static func missingKey(_ id: String?) -> SigningError {
        let name = id.map { " with id \(HTTP.printable($0))" } ?? ""
        return SigningError(
            .missingKey,
            "There is no signing key\(name). Add it to the key store, or turn signing off for the call "
                + "with signsRequest = false."
        )
    }
}
