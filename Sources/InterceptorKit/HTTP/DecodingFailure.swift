extension HTTP {
    /// A body that could not be read as what it should be: where and why, never with a value.
    ///
    /// It is thrown where bytes were read: by ``Response/decode(_:using:upTo:)`` for whatever bytes there
    /// were, also none or a page of HTML, and by a ``ResponseDecoder`` for those that it took. What a
    /// ``ResponseDecoder`` refuses unread, an empty body or another media type, is a ``ContentError``; a
    /// body that is too large is a ``BodyError``.
    ///
    /// Unlike a `DecodingError`, whose texts quote what a server sent, it may be logged and shown.
    public struct DecodingFailure: CodedError, Sendable, Hashable {
        /// What is wrong.
        public struct Code: ErrorCode {
            /// The error that has such codes.
            public typealias Failure = DecodingFailure

            public let description: String

            /// The body isn't JSON, ends early, or holds a value that is not accepted in a place that
            /// the decoder did not say.
            public static let malformed = Code(description: "malformed")
            /// Something is not there.
            public static let missing = Code(description: "missing")
            /// Something is `null` and must not be.
            public static let null = Code(description: "null")
            /// Something is of another type.
            public static let mismatch = Code(description: "mismatch")
            /// A value is of the right type and still not accepted.
            public static let invalid = Code(description: "invalid")
        }

        /// What is wrong.
        public let code: Code
        /// Where: names and indexes as in `items[3].price`; empty for the value as a whole.
        public let path: String
        /// The type that was expected there; `nil` where none is known.
        public let expected: String?
        /// The type the body was to be read as.
        public let type: String

        /// Says of a decoder's error what may be shown.
        /// - Parameters:
        ///   - error: The decoder's error; of its texts nothing is kept.
        ///   - type: What the body was to be read as.
        public init(_ error: DecodingError, decoding type: Any.Type) {
            switch error {
            case .keyNotFound(let key, let context):
                self.init(.missing, context.codingPath + [key], nil, type)
            case .valueNotFound(let expected, let context):
                self.init(.null, context.codingPath, expected, type)
            case .typeMismatch(let expected, let context):
                self.init(.mismatch, context.codingPath, expected, type)
            case .dataCorrupted(let context):
                let code: Code = context.codingPath.isEmpty ? .malformed : .invalid
                self.init(code, context.codingPath, nil, type)
            @unknown default:
                self.init(.invalid, [], nil, type)
            }
        }

        private init(
            _ code: Code,
            _ path: [any CodingKey],
            _ expected: Any.Type?,
            _ type: Any.Type
        ) {
            self.code = code
            self.path = Self.text(of: path)
            self.expected = expected.map { "\($0)" }
            self.type = "\(type)"
        }

        // Names are the server's choice: what is unusual about one is not repeated in full.
        private static func text(of path: [any CodingKey]) -> String {
            path.reduce(into: "") { text, key in
                if let index = key.intValue {
                    text += "[\(index)]"
                } else {
                    let name = key.stringValue
                    text += text.isEmpty ? "" : "."
                    let isPlain = HTTP.FieldSyntax.isToken(name) && name.utf8.count <= 80
                    text += isPlain ? name : HTTP.printable(name)
                }
            }
        }
    }
}

extension HTTP.DecodingFailure: CustomStringConvertible {
    /// What could not be read as what, and why, in a whole sentence.
    public var description: String {
        let place = path.isEmpty ? "it" : path
        let reason =
            switch code {
            case .malformed:
                "it isn't valid JSON, ends early, or holds a value that is not accepted"
            case .missing: "\(place) is missing"
            case .null: "\(place) is null" + (expected.map { " where \($0) was expected" } ?? "")
            case .mismatch: "\(place) is of another type" + (expected.map { " than \($0)" } ?? "")
            default: "\(place) has a value that is not accepted"
            }
        return "The body cannot be read as \(type): \(reason)."
    }
}

extension HTTP.DecodingFailure: ClassifiedError {
    /// Permanent: the same answer would be read the same way.
    public var classification: Classification { .permanent("decoding failed: \(code)") }
}
