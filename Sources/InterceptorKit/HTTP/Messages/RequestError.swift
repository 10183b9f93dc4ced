extension HTTP {
    /// An error for a request that cannot be sent as it is, or a message that other types cannot represent unchanged.
    /// Nothing was sent.
    public struct RequestError: CodedError, Sendable, Hashable {
        /// The kind of mistake.
        public struct Code: ErrorCode {
            public let description: String

            /// The URL is invalid (RFC 3986) or incomplete.
            public static let invalidURL = Code(description: "invalidURL")
            /// The URL's scheme is neither `http` nor `https`.
            public static let unsupportedScheme = Code(description: "unsupportedScheme")
            /// The client may not send to the URL's origin.
            public static let foreignOrigin = Code(description: "foreignOrigin")
            /// The method is not a token.
            public static let invalidMethod = Code(description: "invalidMethod")
            /// The status isn't a number of three digits.
            public static let invalidStatus = Code(description: "invalidStatus")
            /// A field's name or value cannot be sent.
            public static let invalidField = Code(description: "invalidField")
            /// The body is larger than the transport's limit.
            public static let bodyTooLarge = Code(description: "bodyTooLarge")
            /// The connect address is not a host and a port.
            public static let invalidConnectAddress = Code(description: "invalidConnectAddress")
            /// The body contradicts the method or other fields.
            public static let invalidBody = Code(description: "invalidBody")
        }

        public let code: Code
        /// The mistake and the remedy, in whole sentences without field values.
        public let message: String

        /// Creates an error.
        public init(_ code: Code, _ message: String) {
            self.code = code
            self.message = message
        }
    }
}
