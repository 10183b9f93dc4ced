public import InterceptorKit
import InterceptorKitInspection
import InterceptorKitTesting

/// Why a cassette could not be read, written or replayed.
public struct CassetteError: CodedError, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public struct Code: ErrorCode {
        /// The error that has such codes.
        public typealias Failure = CassetteError

        public let description: String

        /// The file cannot be read.
        public static let unreadable = Code(description: "unreadable")
        /// The file is no HTTP archive, or has an exchange that cannot be replayed.
        public static let invalid = Code(description: "invalid")
        /// The file cannot be written.
        public static let unwritable = Code(description: "unwritable")
        /// Nothing was recorded for what was sent.
        public static let unmatched = Code(description: "unmatched")
        /// What was sent was recorded, but not as often.
        public static let exhausted = Code(description: "exhausted")
        /// The response was recorded without its body.
        public static let bodyNotRecorded = Code(description: "body not recorded")
        /// Something was recorded and never sent again.
        public static let unused = Code(description: "unused")
        /// A setting cannot work.
        public static let invalidSetting = Code(description: "invalid setting")
    }

    /// The kind of failure.
    public let code: Code
    /// What happened and what to do, in whole sentences.
    public let description: String
    /// Where in the file: a member's path as in `log.entries[3].request.url`, or a line as in
    /// `line 3, column 5`; `nil` if it is about no place in it.
    public let place: String?
    /// The recorded request that comes nearest to what was sent, if there is one.
    public let nearest: String?
    /// What differs from it.
    public let differences: [String]
    /// The error behind it.
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
        description = message
        self.place = place
        self.nearest = nearest
        self.differences = differences
        self.cause = cause
    }
}

extension CassetteError: CustomReflectable {
    /// What happened, without the cause, which may quote what is in the file.
    public var customMirror: Mirror {
        Mirror(self, children: ["code": code.description, "description": description])
    }
}
