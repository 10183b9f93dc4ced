extension HTTP {
    /// Why text is not a structured field, or a value cannot be serialised as one.
    public struct StructuredFieldError: CodedError, Sendable, Hashable {
        /// The kind of mistake.
        public struct Code: ErrorCode {
            /// The error that has such codes.
            public typealias Failure = StructuredFieldError

            public let description: String

            /// There is a character that cannot be in its place.
            public static let unexpectedCharacter = Code(description: "unexpectedCharacter")
            /// The text ends too early.
            public static let unexpectedEnd = Code(description: "unexpectedEnd")
            /// A key does not have the form of one.
            public static let invalidKey = Code(description: "invalidKey")
            /// A number has too many digits.
            public static let invalidNumber = Code(description: "invalidNumber")
            /// A string holds what strings cannot.
            public static let invalidString = Code(description: "invalidString")
            /// A token holds what tokens cannot.
            public static let invalidToken = Code(description: "invalidToken")
            /// Bytes are not in base64.
            public static let invalidBytes = Code(description: "invalidBytes")
            /// A date is not a whole number of seconds.
            public static let invalidDate = Code(description: "invalidDate")
            /// A display string is not percent-encoded UTF-8.
            public static let invalidDisplayString = Code(description: "invalidDisplayString")
        }

        /// The kind of mistake.
        public let code: Code
        /// Where it is, in bytes from the beginning of the field's joined lines; `nil` for a value that
        /// cannot be serialised.
        public let position: Int?
        /// The section of RFC 9651 that has the rule, as in `4.2.3.3`.
        public let section: String
        /// The rule that was broken, in a few words; never the text.
        public let rule: String

        /// What is wrong, in a whole sentence; never the text.
        public var message: String {
            let place = position.map { "At byte \($0) of the field" } ?? "In the value to serialise"
            return "\(place), \(rule) (RFC 9651 section \(section))."
        }
    }
}

extension HTTP.StructuredFieldError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}
