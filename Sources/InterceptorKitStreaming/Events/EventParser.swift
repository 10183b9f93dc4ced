import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Interprets an event stream (WHATWG HTML, section 9.2.6), wherever the chunks are split.
///
/// An event that the stream's end cuts off is never given out.
struct EventParser: Sendable {
    /// What a stream contains.
    enum Item: Sendable {
        /// An event, and whether it has an id of its own.
        case event(HTTP.ServerSentEvent, hasOwnID: Bool)
        /// A comment, without its colon.
        case comment(Data)
    }

    /// The id of the last event, which a client sends to go on from there; `nil` if there is none.
    private(set) var lastEventID: String?
    /// The newest wait that the server asked for.
    private(set) var retry: Duration?

    private let limit: Int
    private var lines: LineSplitter
    // The event that is being read.
    private var data = Data()
    private var type: Data?
    private var id: Data?
    private var eventRetry: Duration?
    // No server's wish is taken for longer.
    private static let longestRetry = 100 * 365 * 86_400_000

    /// - Parameters:
    ///   - limit: The largest number of bytes of an event's data, and of a line.
    ///   - lastEventID: The id of the last event before the stream.
    init(limit: Int, lastEventID: String? = nil) {
        self.limit = limit
        self.lastEventID = lastEventID
        lines = LineSplitter(limit: limit)
    }

    /// Takes the next chunk. Call it when ``next()`` has returned `nil`.
    mutating func append(_ chunk: Data) { lines.append(chunk) }

    /// Forgets the event that was cut off, and begins a new stream after it.
    mutating func beginAgain() {
        lines = LineSplitter(limit: limit)
        data = Data()
        type = nil
        id = nil
        eventRetry = nil
    }

    /// The next event or comment; `nil` if more bytes are needed.
    /// - Throws: ``HTTP/StreamingError`` if an event is larger than the limit.
    mutating func next() throws(HTTP.StreamingError) -> Item? {
        while let line = try lines.next() {
            if line.isEmpty {
                if let event = dispatch() { return event }
            } else if line[line.startIndex] == UInt8(ascii: ":") {
                return .comment(line.dropFirst())
            } else {
                try take(line)
            }
        }
        return nil
    }

    private mutating func take(_ line: Data) throws(HTTP.StreamingError) {
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        var value = line[colon...].dropFirst()
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        switch line[..<colon] {
        case Self.dataName:
            guard value.count < limit - data.count else {
                throw HTTP.StreamingError(
                    .tooLong,
                    "An event is larger than the limit of \(limit) bytes. Raise the limit if events of that "
                        + "size are to be expected."
                )
            }
            data.append(value)
            data.append(.lineFeed)
        case Self.eventName: type = value
        case Self.idName: if !value.contains(0) { id = value }
        case Self.retryName: take(retry: value)
        default: break
        }
    }

    private mutating func take(retry value: Data) {
        guard !value.isEmpty, value.allSatisfy({ 48...57 ~= $0 }) else { return }
        let milliseconds = Int(String(decoding: value, as: UTF8.self)) ?? Self.longestRetry
        retry = .milliseconds(min(milliseconds, Self.longestRetry))
        eventRetry = retry
    }

    /// Ends the event at an empty line.
    private mutating func dispatch() -> Item? {
        if let id { lastEventID = id.isEmpty ? nil : String(decoding: id, as: UTF8.self) }
        defer {
            type = nil
            id = nil
            eventRetry = nil
            data.removeAll(keepingCapacity: data.count <= 1 << 16)
        }
        guard !data.isEmpty else { return nil }
        var event = HTTP.ServerSentEvent(
            data: String(decoding: data.dropLast(), as: UTF8.self),
            id: lastEventID,
            retry: eventRetry
        )
        if let type, !type.isEmpty { event.type = String(decoding: type, as: UTF8.self) }
        return .event(event, hasOwnID: id?.isEmpty == false)
    }

    private static let dataName = Data("data".utf8)
    private static let eventName = Data("event".utf8)
    private static let idName = Data("id".utf8)
    private static let retryName = Data("retry".utf8)
}
