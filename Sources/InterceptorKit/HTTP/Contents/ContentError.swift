extension HTTP {
    /// Why a value did not become content, or content a value.
    public struct ContentError: Error, Sendable {
        /// The kind of failure.
        public struct Code: Hashable, Sendable, CustomStringConvertible {
            public let description: String

            /// A value cannot be written in the form asked for.
            public static let cannotEncode = Code(description: "cannotEncode")
            /// Content is not the value it was read for.
            public static let cannotDecode = Code(description: "cannotDecode")
            /// Content is of another media type than was to be read.
            public static let unexpectedMediaType = Code(description: "unexpectedMediaType")
            /// The response's status is not one that the content is read from.
            public static let unexpectedStatus = Code(description: "unexpectedStatus")
            /// There is no content where a value was to be read.
            public static let emptyBody = Code(description: "emptyBody")
            /// A part of a form cannot be sent as it is.
            public static let invalidPart = Code(description: "invalidPart")
            /// A boundary is not one, or stands in a part.
            public static let invalidBoundary = Code(description: "invalidBoundary")
            /// A part was not as long as when its length was announced.
            public static let lengthChanged = Code(description: "lengthChanged")
        }

        /// The kind of failure.
        public let code: Code
        /// What happened and what to do, in whole sentences; names types and places, never content.
        public let message: String
        /// The error behind it, if there is one.
        public let cause: (any Error)?

        /// Creates an error.
        public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
            self.code = code
            self.message = message
            self.cause = cause
        }
    }
}

extension HTTP.ContentError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}

extension HTTP.ContentError {
    static func cannotEncode<Value>(_ type: Value.Type, _ cause: any Error) -> Self {
        var place = ""
        if case EncodingError.invalidValue(_, let context) = cause {
            place = Self.place(context.codingPath)
        }
        return Self(
            .cannotEncode,
            "A value of the type \(type) cannot be written as a body\(place): \(reason(cause)).",
            cause: cause
        )
    }

    static func cannotDecode<Value>(_ type: Value.Type, _ cause: any Error) -> Self {
        Self(
            .cannotDecode,
            "The body cannot be read as \(type)\(place(of: cause)): \(reason(cause)).",
            cause: cause
        )
    }

    // What libraries say of a failure may quote content, so kinds and places are all that is told.
    private static func reason(_ error: any Error) -> String {
        switch error {
        case EncodingError.invalidValue: "the encoder has no way to say the value there"
        case DecodingError.keyNotFound(let key, _): "\(HTTP.printable(key.stringValue)) is missing"
        case DecodingError.valueNotFound(let type, _): "there is null in place of \(type)"
        case DecodingError.typeMismatch(let type, _): "what is there is no \(type)"
        case DecodingError.dataCorrupted(let context):
            context.codingPath.isEmpty ? "it is malformed" : "what is there is malformed"
        default: "it failed with \(typeName(of: error))"
        }
    }

    private static func place(of error: any Error) -> String {
        switch error {
        case DecodingError.keyNotFound(_, let context), DecodingError.valueNotFound(_, let context),
            DecodingError.typeMismatch(_, let context), DecodingError.dataCorrupted(let context):
            place(context.codingPath)
        default: ""
        }
    }

    private static func place(_ path: [any CodingKey]) -> String {
        guard !path.isEmpty else { return "" }
        let text = path.map { $0.intValue.map { "\($0)" } ?? $0.stringValue }.joined(separator: ".")
        return " at \(HTTP.printable(text))"
    }
}
