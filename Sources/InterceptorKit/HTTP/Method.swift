extension HTTP {
    /// A request method (RFC 9110 section 9). Case matters: `patch` is not `PATCH`.
    public struct Method: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
        /// The method as it is sent.
        public let rawValue: String

        /// Creates a method; one that is not a token is refused when the request is sent.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Creates a method; one that is not a token is refused when the request is sent.
        public init(stringLiteral value: String) { rawValue = value }

        /// Asks for the current content.
        public static let get: Method = "GET"
        /// As `GET`, but for the head alone.
        public static let head: Method = "HEAD"
        /// Hands content over to be processed; not idempotent.
        public static let post: Method = "POST"
        /// Replaces what is there by the content.
        public static let put: Method = "PUT"
        /// Changes a part of what is there (RFC 5789); not idempotent.
        public static let patch: Method = "PATCH"
        /// Removes what is there.
        public static let delete: Method = "DELETE"
        /// Asks what can be done with it.
        public static let options: Method = "OPTIONS"
        /// Asks for the request to be sent back as it arrived.
        public static let trace: Method = "TRACE"
        /// As `GET`, with a body that says what is asked for.
        public static let query: Method = "QUERY"

        /// Asks for nothing to change (RFC 9110 section 9.2.1; QUERY by its own specification).
        public var isSafe: Bool {
            switch self {
            case .get, .head, .options, .trace, .query: true
            default: false
            }
        }

        /// Means the same done once or many times (RFC 9110 section 9.2.2).
        public var isIdempotent: Bool {
            isSafe || self == .put || self == .delete
        }
    }
}

extension HTTP.Method: CustomStringConvertible {
    /// The method as it is sent.
    public var description: String { rawValue }
}
