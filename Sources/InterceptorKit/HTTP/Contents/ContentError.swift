extension HTTP {
    /// An error for content that can't be encoded or read, isn't accepted, or has a wrong digest.
    ///
    /// For responses, it covers refusals before the body is read: an ``Endpoint`` refuses a status, a
    /// ``ResponseDecoder`` a media type or an empty body. Bytes that were read and can't be decoded cause a
    /// ``DecodingFailure``.
    public struct ContentError: CodedError, Sendable {
        /// The kind of failure.
        public struct Code: ErrorCode {
            public let description: String

            package init(description: String) { self.description = description }

            /// A value cannot be encoded in the required form.
            public static let cannotEncode = Code(description: "cannotEncode")
            /// The content has another media type than expected.
            public static let unexpectedMediaType = Code(description: "unexpectedMediaType")
            /// The response has a status that isn't decoded.
            public static let unexpectedStatus = Code(description: "unexpectedStatus")
            /// The body isn't text in its charset.
            public static let malformedText = Code(description: "malformedText")
            /// The body's charset can't be read here.
            public static let unknownCharset = Code(description: "unknownCharset")
            /// A value was expected, but there is no content.
            public static let emptyBody = Code(description: "emptyBody")
            /// A value of a main-actor type was to be decoded off the main actor.
            public static let wrongActor = Code(description: "wrongActor")
            /// A part of a form cannot be sent as it is.
            public static let invalidPart = Code(description: "invalidPart")
            /// A boundary is invalid, or occurs in a part.
            public static let invalidBoundary = Code(description: "invalidBoundary")
            /// A part's length differs from the announced length.
            public static let lengthChanged = Code(description: "lengthChanged")
            /// The body is larger than the limit.
            public static let tooLarge = Code(description: "tooLarge")
            /// The body can only be read once, and was already read.
            public static let alreadyRead = Code(description: "alreadyRead")
            /// The body can only be read once, so it cannot be both hashed and sent.
            public static let oneShotBody = Code(description: "oneShotBody")
            /// The body's file can't be read.
            public static let unreadableFile = Code(description: "unreadableFile")
            /// A line of a cookie file is not of Netscape's format.
            public static let malformedCookieFile = Code(description: "malformedCookieFile")
            /// The digest field violates RFC 9530.
            public static let malformedDigest = Code(description: "malformedDigest")
            /// A digest is required, but there is none.
            public static let missingDigest = Code(description: "missingDigest")
            /// No digest has an accepted algorithm.
            public static let unacceptableDigest = Code(description: "unacceptableDigest")
            /// The content doesn't match its digest.
            public static let digestMismatch = Code(description: "digestMismatch")
            /// The digest's algorithm is unknown.
            public static let unknownAlgorithm = Code(description: "unknownAlgorithm")
        }

        public let code: Code
        /// The failure and the remedy, in whole sentences with types and places, but never content.
        public let message: String
        /// The place of the mistake, such as a member's path or a line; `nil` if only the message names it.
        public let place: String?
        public let cause: (any Error)?
        /// The response whose status was refused.
        public let response: Response?

        /// Creates an error.
        /// - Parameters:
        ///   - code: The kind of failure.
        ///   - message: The failure and the remedy, in whole sentences without content.
        ///   - place: The place of the mistake. Defaults to none.
        ///   - cause: The underlying error. Defaults to none.
        ///   - response: The response whose status was refused. Defaults to none.
        public init(
            _ code: Code,
            _ message: String,
            place: String? = nil,
            cause: (any Error)? = nil,
            response: Response? = nil
        ) {
            self.code = code
            self.message = message
            self.place = place
            self.cause = cause
            self.response = response
        }
    }
}

extension HTTP.ContentError: StatusReportingError {
    /// The refused status; `nil` if the status was not refused.
    public var responseStatus: HTTP.Status? { response?.status }
    /// The wait that the refused response asks for.
    public var retryAfter: Duration? { response?.retryAfter }
}

extension HTTP.ContentError {
    package static func cannotEncode<Value>(_ type: Value.Type, _ cause: any Error) -> Self {
        var place = ""
        if case EncodingError.invalidValue(_, let context) = cause {
            place = Self.place(context.codingPath)
        }
        return Self(
            .cannotEncode,
            "A value of the type \(type) cannot be encoded\(place): \(reason(cause)).",
            cause: cause
        )
    }

    // The error text of a library may quote content, so only kinds and places are shown.
    private static func reason(_ error: any Error) -> String {
        switch error {
        case EncodingError.invalidValue: "the encoder cannot express the value there"
        default: "it failed with \(Redaction.typeName(of: error))"
        }
    }

    private static func place(_ path: [any CodingKey]) -> String {
        guard !path.isEmpty else { return "" }
        let text = path.map { $0.intValue.map { "\($0)" } ?? $0.stringValue }.joined(separator: ".")
        return " at \(HTTP.printable(text))"
    }
}
