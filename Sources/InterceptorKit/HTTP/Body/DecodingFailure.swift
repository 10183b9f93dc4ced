extension HTTP {
    /// An error for a body that could not be decoded. It shows the place and the reason, but never a value.
    ///
    /// ``Response/decode(_:using:upTo:)`` throws it for any bytes that it cannot decode, including none or an HTML
    /// page; a ``ResponseDecoder`` throws it for accepted bodies. The error is a ``ContentError`` for a body that is
    /// too large, or that a ``ResponseDecoder`` refuses unread because it is empty or has another media type.
    ///
    /// Unlike a `DecodingError`, whose text quotes the server's data, it may be logged and shown.
    public struct DecodingFailure: CodedError, Sendable, Hashable {
        /// The kind of decoding failure.
        public struct Code: ErrorCode {
            public let description: String

            /// The body isn't JSON, ends early, or contains an unaccepted value at an unknown place.
            public static let malformed = Code(description: "malformed")
            /// A value is missing.
            public static let missing = Code(description: "missing")
            /// A value is `null` and must not be.
            public static let null = Code(description: "null")
            /// A value has another type.
            public static let mismatch = Code(description: "mismatch")
            /// A value has the right type but isn't accepted.
            public static let invalid = Code(description: "invalid")
        }

        /// The kind of decoding failure.
        public let code: Code
        /// The place of the failure: names and indexes as in `items[3].price`; empty for the whole value.
        public let path: String
        /// The type expected at that place, as in Swift; `an object` or `an array` for a type with members; `nil` if
        /// unknown.
        public let expected: String?
        /// The kind of value at that place, as in `an array`; `nil` if unknown.
        public let found: String?
        /// The type to decode the body as.
        public let type: String

        /// Creates a failure from a decoder's error, with only the parts that may be shown.
        /// - Parameters:
        ///   - error: The decoder's error; none of its text is kept.
        ///   - type: The type to decode the body as.
        public init(_ error: DecodingError, decoding type: Any.Type) {
            switch error {
            case .keyNotFound(let key, let context):
                self.init(.missing, context.codingPath + [key], nil, nil, type)
            case .valueNotFound(let expected, let context):
                self.init(.null, context.codingPath, expected, "null", type)
            case .typeMismatch(let expected, let context):
                let found = JSONKind.found(by: context.debugDescription)
                self.init(.mismatch, context.codingPath, expected, found, type)
            case .dataCorrupted(let context):
                let code: Code = context.codingPath.isEmpty ? .malformed : .invalid
                self.init(code, context.codingPath, nil, nil, type)
            @unknown default:
                self.init(.invalid, [], nil, nil, type)
            }
        }

        private init(
            _ code: Code,
            _ path: [any CodingKey],
            _ expected: Any.Type?,
            _ found: String?,
            _ type: Any.Type
        ) {
            self.code = code
            self.path = Self.text(of: path)
            self.expected = expected.map(JSONKind.expected)
            self.found = found
            self.type = JSONKind.shorthand("\(type)")
        }

        // The server chooses the names, so unusual ones are escaped and cut.
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

extension HTTP.DecodingFailure {
    /// The type, the place and the reason, in a whole sentence.
    public var message: String {
        let place = path.isEmpty ? "it" : path
        let reason =
            switch code {
            case .malformed:
                "it isn't valid JSON, ends early, or holds a value that is not accepted"
            case .missing: "\(place) is missing"
            case .null: "\(place) is null" + (expected.map { " where \($0) was expected" } ?? "")
            case .mismatch:
                if let expected, let found {
                    "\(place) is \(found) where \(expected) was expected"
                } else {
                    "\(place) is of another type" + (expected.map { " than \($0)" } ?? "")
                }
            default: "\(place) has a value that is not accepted"
            }
        return "The body cannot be read as \(type): \(reason)."
    }
}

extension HTTP.DecodingFailure: ClassifiedError {
    /// Permanent: the same response would fail in the same way.
    public var classification: Classification { .permanent("decoding failed: \(code)") }
}
