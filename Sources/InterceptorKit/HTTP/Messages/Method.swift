extension HTTP {
    /// A request method (RFC 9110 section 9). Case matters: `patch` is not `PATCH`.
    public struct Method: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
        /// The method as it is sent.
        public let rawValue: String

        /// Creates a method; an invalid one (not a token) is refused when the request is sent.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Creates a method; an invalid one (not a token) is refused when the request is sent.
        public init(stringLiteral value: String) { rawValue = value }

        /// Requests the current content.
        public static let get: Method = "GET"
        /// Requests the same response head as `GET`, without content.
        public static let head: Method = "HEAD"
        /// Sends content to be processed; not idempotent.
        public static let post: Method = "POST"
        /// Replaces the resource with the content.
        public static let put: Method = "PUT"
        /// Changes a part of the resource (RFC 5789); not idempotent.
        public static let patch: Method = "PATCH"
        /// Deletes the resource.
        public static let delete: Method = "DELETE"
        /// Requests the communication options of the resource.
        public static let options: Method = "OPTIONS"
        /// Requests the received request back, for diagnosis.
        public static let trace: Method = "TRACE"
        /// Requests content like `GET`, with a body that describes the query.
        public static let query: Method = "QUERY"

        /// Whether the method asks for no changes (RFC 9110 section 9.2.1; QUERY by its own specification).
        public var isSafe: Bool {
            switch self {
            case .get, .head, .options, .trace, .query: true
            default: false
            }
        }

        /// Whether sending the request many times has the same effect as once (RFC 9110 section 9.2.2).
        public var isIdempotent: Bool {
            isSafe || self == .put || self == .delete
        }
    }
}

extension HTTP.Method: CustomStringConvertible {
    /// The method as it is sent.
    public var description: String { rawValue }
}
