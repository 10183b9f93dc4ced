extension HTTP {
    /// Why a value did not become content, or content is not what a value is read from.
    ///
    /// Of responses it tells what is refused before it is read: by an ``Endpoint`` a status, by a
    /// ``ResponseDecoder`` a media type or an empty body. Bytes that were read and are not what they should
    /// be are a ``DecodingFailure``.
    public struct ContentError: CodedError, Sendable {
        /// The kind of failure.
        public struct Code: ErrorCode {
            /// The error that has such codes.
            public typealias Failure = ContentError

            public let description: String

            /// A value cannot be written in the form asked for.
            public static let cannotEncode = Code(description: "cannotEncode")
            /// Content is of another media type than was to be read.
            public static let unexpectedMediaType = Code(description: "unexpectedMediaType")
            /// The response's status is not one that the content is read from.
            public static let unexpectedStatus = Code(description: "unexpectedStatus")
            /// There is no content where a value was to be read.
            public static let emptyBody = Code(description: "emptyBody")
            /// A type that belongs to the main actor was to be read elsewhere.
            public static let wrongActor = Code(description: "wrongActor")
            /// A part of a form cannot be sent as it is.
            public static let invalidPart = Code(description: "invalidPart")
            /// A boundary is not one, or stands in a part.
            public static let invalidBoundary = Code(description: "invalidBoundary")
            /// A part's length differs from the length that was announced.
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

    // What libraries say of a failure may quote content, so kinds and places are all that is told.
    private static func reason(_ error: any Error) -> String {
        switch error {
        case EncodingError.invalidValue: "the encoder has no way to say the value there"
        default: "it failed with \(Redaction.typeName(of: error))"
        }
    }

    private static func place(_ path: [any CodingKey]) -> String {
        guard !path.isEmpty else { return "" }
        let text = path.map { $0.intValue.map { "\($0)" } ?? $0.stringValue }.joined(separator: ".")
        return " at \(HTTP.printable(text))"
    }
}

extension HTTP.ContentError: CustomReflectable {
    /// The kind of failure, the description and the type of the cause, which may quote content.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "code": code.description, "description": description,
                "cause": cause.map { Redaction.typeName(of: $0) } as Any,
            ]
        )
    }
}
