import InterceptorKit

/// An HTTP archive, version 1.2: exchanges in the JSON format that browsers and proxies open.
///
/// The members are those of the specification (W3C Web Performance working group's draft of August
/// 2012), which lets names that begin with `_` be added by anyone who writes. Members of others that
/// are not listed here are left out when an archive is read.
public struct HAR: Codable, Sendable, Hashable {
    /// All there is.
    public var log: Log

    /// Creates an archive.
    /// - Parameter entries: The exchanges, by convention in the order they began. Defaults to none.
    public init(entries: [Entry] = []) { log = Log(entries: entries) }

    /// The exchanges and who wrote them down.
    public struct Log: Codable, Sendable, Hashable {
        /// The format's version.
        public var version = "1.2"
        /// Who wrote the archive.
        public var creator = Creator(name: "InterceptorKit", version: "1")
        /// The exchanges.
        public var entries: [Entry]
        /// Anything else.
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
        /// When the request began: ISO 8601 with a time zone.
        public var startedDateTime: String
        /// How long it all took, in milliseconds: the sum of the ``timings`` that apply.
        public var time: Double
        /// What was sent.
        public var request: Request
        /// What was answered.
        public var response: Response
        /// What the sender's cache did; nothing is known here.
        public var cache: Cache?
        /// How long each part took.
        public var timings: Timings
        /// Anything else.
        public var comment: String?
        /// What happened meanwhile; of this library.
        public var events: [Event]?

        /// Creates an entry.
        /// - Parameters:
        ///   - startedDateTime: When the request began: ISO 8601 with a time zone.
        ///   - request: What was sent.
        ///   - response: What was answered.
        ///   - timings: How long each part took.
        ///   - events: What happened meanwhile. Defaults to nothing.
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

        enum CodingKeys: String, CodingKey {
            case startedDateTime, time, request, response, cache, timings, comment
            case events = "_events"
        }
    }

    /// What the sender's cache did: nothing that is known.
    public struct Cache: Codable, Sendable, Hashable {
        /// Creates an empty value.
        public init() {}
    }
}
