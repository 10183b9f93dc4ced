extension HTTP {
    /// An error for text that isn't a structured field or a list of challenges, or for a value that can't be serialised
    /// as a structured field.
    public struct FieldError: CodedError, Sendable, Hashable {
        /// The kind of mistake.
        public struct Code: ErrorCode {
            public let description: String

            /// A character is not allowed at its place.
            public static let unexpectedCharacter = Code(description: "unexpectedCharacter")
            /// The text ends too early.
            public static let unexpectedEnd = Code(description: "unexpectedEnd")
            /// A key is invalid.
            public static let invalidKey = Code(description: "invalidKey")
            /// A number has too many digits.
            public static let invalidNumber = Code(description: "invalidNumber")
            /// A string contains invalid characters.
            public static let invalidString = Code(description: "invalidString")
            /// A token contains invalid characters.
            public static let invalidToken = Code(description: "invalidToken")
            /// Bytes are not in base64.
            public static let invalidBytes = Code(description: "invalidBytes")
            /// A date is not a whole number of seconds.
            public static let invalidDate = Code(description: "invalidDate")
            /// A display string is not percent-encoded UTF-8.
            public static let invalidDisplayString = Code(description: "invalidDisplayString")
            /// The text departs from the grammar of challenges (RFC 9110 section 11.3).
            public static let malformedChallenge = Code(description: "malformedChallenge")
        }

        public let code: Code
        /// The position of the mistake, in bytes from the beginning of the field's joined lines; `nil` for a value that
        /// cannot be serialised.
        public let position: Int?
        /// The section of RFC 9651 with the rule, as in `4.2.3.3`; `nil` for a challenge.
        public let section: String?
        /// The broken rule, in a few words without the text.
        public let rule: String

        /// The mistake, in a whole sentence without the text.
        public var message: String {
            let place = position.map { "At byte \($0) of the field" } ?? "In the value to serialise"
            let source = section.map { "RFC 9651 section \($0)" } ?? "RFC 9110 section 11.3"
            return "\(place), \(rule) (\(source))."
        }
    }
}
