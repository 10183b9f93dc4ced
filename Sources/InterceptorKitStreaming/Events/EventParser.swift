import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Parses an event stream (WHATWG HTML, section 9.2.6), regardless of the chunks' boundaries.
///
/// Only ``cutOff()`` returns an event that the end of the stream cuts off.
struct EventParser: Sendable {
    enum Item: Sendable {
        /// An event, and whether it has an id of its own.
        case event(HTTP.ServerSentEvent, hasOwnID: Bool)
        /// A comment, without its colon.
        case comment(String)
    }

    // The length of the longest prefix of a value: "retry: ".
    private static let nameLength = 7

    private let limit: Int
    private var lines: LineSplitter
    private var fields: EventFields

    /// - Parameters:
    ///   - limit: The largest size of an event's data and of a line, in bytes.
    ///   - lastEventID: The id of the last event before the stream.
    init(limit: Int, lastEventID: String? = nil) {
        self.limit = limit
        fields = EventFields(limit: limit, lastEventID: lastEventID)
        lines = Self.lines(limit)
    }

    /// The id of the last event, from which a client resumes; `nil` if there is none.
    var lastEventID: String? { fields.lastEventID }

    /// The last reconnection time that the server sent.
    var retry: Duration? { fields.retry }

    /// Sets the next chunk. Call it when ``next()`` has returned `nil`.
    mutating func append(_ chunk: Data) { lines.append(chunk) }

    /// Discards an event that was cut off, and begins a new stream.
    /// - Parameter lastEventID: The id of the last event before the stream.
    mutating func reset(after lastEventID: String? = nil) {
        lines = Self.lines(limit)
        fields.begin(after: lastEventID)
    }

    /// Returns the event that the end of the stream cuts off before its empty line; `nil` if there is none.
    mutating func cutOff() -> HTTP.ServerSentEvent? {
        if let line = lines.rest() { _ = try? fields.take(line) }
        guard case .event(let event, _)? = fields.dispatch() else { return nil }
        return event
    }

    private static func lines(_ limit: Int) -> LineSplitter {
        LineSplitter(limit: min(limit, .max - nameLength) + nameLength)
    }

    /// Returns the next event or comment; `nil` if more bytes are needed.
    /// - Throws: ``HTTP/StreamingError`` if an event is larger than the limit.
    mutating func next() throws(HTTP.StreamingError) -> Item? {
        while let line = try lines.next() {
            switch try fields.take(line) {
            case .field: continue
            case .comment(let text): return .comment(text)
            case .end: if let event = fields.dispatch() { return event }
            }
        }
        return nil
    }
}
