#if HTTPTypes
public import InterceptorKit

/// A message, or part of one, that the target's types cannot hold as it is.
///
/// Nothing is ever replaced or left out to make it fit.
public struct ConversionError: CodedError, Sendable, Hashable, CustomStringConvertible {
    /// What cannot be converted.
    public struct Code: ErrorCode {
        /// The error that has such codes.
        public typealias Failure = ConversionError

        public let description: String

        /// The method is not a token.
        public static let method = Code(description: "method")
        /// The URL, or the pseudo-header fields that stand for it.
        public static let url = Code(description: "url")
        /// The status is no number of three digits.
        public static let status = Code(description: "status")
        /// A field's name or value.
        public static let field = Code(description: "field")
    }

    /// What cannot be converted.
    public let code: Code
    /// Why, and what to do, in whole sentences; never a field's value.
    public let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
#endif
