public import InterceptorKit

/// The kinds of failure of reading an HTTP archive, or of using one of its exchanges.
extension HTTP.ContentError.Code {
    /// The text isn't JSON.
    public static let notJSON = Self(description: "notJSON")
    /// The JSON isn't an archive.
    public static let notAnArchive = Self(description: "notAnArchive")
    /// The archive lacks the content of an exchange's request.
    public static let bodyNotRecorded = Self(description: "bodyNotRecorded")
}

extension HTTP.ContentError {
    /// - Parameters:
    ///   - place: The place of the mistake: a member's path as in `log.entries[3].request.url`, or a line as in
    ///     `line 3, column 5`.
    ///   - problem: The mistake, in a whole sentence.
    init(_ code: Code, at place: String, _ problem: String) {
        self.init(code, "\(place): \(problem)", place: place)
    }
}
