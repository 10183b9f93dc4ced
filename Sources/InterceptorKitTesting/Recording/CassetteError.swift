public import InterceptorKit
import InterceptorKitInspection

/// An error for a cassette that could not be read, written or replayed.
public struct CassetteError: CodedError, Sendable {
    /// The kind of failure.
    public struct Code: ErrorCode {
        public let description: String

        /// The file cannot be read.
        public static let unreadable = Code(description: "unreadable")
        /// The file isn't an HTTP archive, or the request's exchange in it cannot be replayed.
        public static let invalid = Code(description: "invalid")
        /// The file cannot be written.
        public static let unwritable = Code(description: "unwritable")
        /// The request was not recorded.
        public static let unmatched = Code(description: "unmatched")
        /// The request was recorded, but not as often.
        public static let exhausted = Code(description: "exhausted")
        /// The response was recorded without its body.
        public static let bodyNotRecorded = Code(description: "bodyNotRecorded")
        /// A recorded request was not sent again.
        public static let unused = Code(description: "unused")
    }

    public let code: Code
    public let message: String
    /// The place in the file: a member's path as in `log.entries[3].request.url`, or a line as in
    /// `line 3, column 5`; `nil` if the error has no place.
    public let place: String?
    /// The recorded request nearest to the sent one, if there is one.
    public let nearest: String?
    /// The differences from that request.
    public let differences: [String]
    public let cause: (any Error)?

    init(
        _ code: Code,
        _ message: String,
        place: String? = nil,
        nearest: String? = nil,
        differences: [String] = [],
        cause: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.place = place
        self.nearest = nearest
        self.differences = differences
        self.cause = cause
    }
}
