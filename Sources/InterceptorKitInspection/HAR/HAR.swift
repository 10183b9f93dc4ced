import InterceptorKit

/// An HTTP archive, version 1.2: exchanges in the JSON format of browsers and proxies.
///
/// The members are those of the specification (draft of the W3C Web Performance working group, August 2012), which
/// allows everyone to add names that begin with `_`. Reading an archive drops members that are not listed here. Some
/// recorders leave out required members or write `null`: a member that is missing or has another type gets a default,
/// and an entry without a readable method, URL or status is ``unreadable``.
public struct HAR: Codable, Sendable, Hashable {
    /// The content of the archive.
    public var log: Log

    /// The problem of each entry that could not be read and isn't in the ``log``, as in
    /// `log.entries[3].request.url: The member is missing.`
    public internal(set) var unreadable: [String] = []

    /// Creates an archive.
    /// - Parameter entries: The exchanges, by convention in the order in which they began. Defaults to none.
    public init(entries: [Entry] = []) { log = Log(entries: entries) }

    /// The exchanges and the program that wrote them.
    public struct Log: Codable, Sendable, Hashable {
        /// The format's version.
        public var version = "1.2"
        /// The program that wrote the archive.
        public var creator = Creator(name: "InterceptorKit", version: "1")
        /// The exchanges.
        public var entries: [Entry]
        /// A comment.
        public var comment: String?

        /// Creates a log.
        public init(entries: [Entry] = []) { self.entries = entries }
    }

    /// A program and its version.
    public struct Creator: Codable, Sendable, Hashable {
        /// The program's name.
        public var name: String
        /// The program's version.
        public var version: String

        /// Creates a creator.
        public init(name: String, version: String) {
            self.name = name
            self.version = version
        }
    }

    /// One request and its outcome.
    public struct Entry: Codable, Sendable, Hashable {
        /// The time when the request began: ISO 8601 with a time zone.
        public var startedDateTime: String
        /// The total time in milliseconds: the sum of the ``timings`` that apply.
        public var time: Double
        /// The request.
        public var request: Request
        /// The response.
        public var response: Response
        /// The state of the sender's cache, which this library leaves empty.
        var cache: Cache?
        /// The time of each part.
        public var timings: Timings
        /// A comment.
        public var comment: String?
        /// The events during the exchange; an extension of this library.
        public var events: [Event]?

        /// Creates an entry.
        /// - Parameters:
        ///   - startedDateTime: The time when the request began: ISO 8601 with a time zone.
        ///   - request: The request.
        ///   - response: The response.
        ///   - timings: The time of each part.
        ///   - events: The events during the exchange. Defaults to none.
        public init(
            startedDateTime: String,
            request: Request,
            response: Response,
            timings: Timings,
            events: [Event] = []
        ) {
            self.startedDateTime = startedDateTime
            self.request = request
            self.response = response
            self.timings = timings
            time = timings.total
            cache = Cache()
            self.events = events.isEmpty ? nil : events
        }
    }

    /// The state of the sender's cache, always empty.
    struct Cache: Codable, Sendable, Hashable {}
}
