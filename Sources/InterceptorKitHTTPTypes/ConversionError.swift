#if HTTPTypes
public import InterceptorKit

/// An error for a message, or part of one, that the target's types cannot represent unchanged.
///
/// Nothing is ever replaced or left out to make it fit.
public struct ConversionError: CodedError, Sendable, Hashable {
    /// The part that cannot be converted.
    public struct Code: ErrorCode {
        public let description: String

        /// The method is not a token.
        public static let method = Code(description: "method")
        /// The URL, or the pseudo-header fields for it, cannot be converted.
        public static let url = Code(description: "url")
        /// The status isn't a number of three digits.
        public static let status = Code(description: "status")
        /// A field's name or value cannot be converted.
        public static let field = Code(description: "field")
    }

    /// The part that cannot be converted.
    public let code: Code
    /// The reason and what to do, in whole sentences without field values.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
#endif
