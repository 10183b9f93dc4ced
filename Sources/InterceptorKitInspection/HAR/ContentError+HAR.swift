public import InterceptorKit

/// An error for text that isn't an HTTP archive, or for an exchange without what is asked of it.
public struct HARError: CodedError, Sendable, Hashable {
    /// The kind of failure.
    public struct Code: ErrorCode {
        public let description: String

        /// The text isn't JSON.
        public static let notJSON = Code(description: "notJSON")
        /// The JSON isn't an archive.
        public static let notAnArchive = Code(description: "notAnArchive")
        /// The archive has an exchange without the content of its request.
        public static let bodyNotRecorded = Code(description: "bodyNotRecorded")
    }

    public let code: Code
    /// The place of the mistake: a member's path as in `log.entries[3].request.url`, or a line as in
    /// `line 3, column 5`.
    public let place: String
    /// The mistake, in a whole sentence.
    public let message: String

    init(_ code: Code, at place: String, _ problem: String) {
        self.code = code
        self.place = place
        message = "\(place): \(problem)"
    }
}
