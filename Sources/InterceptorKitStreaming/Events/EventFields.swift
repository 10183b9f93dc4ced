import InterceptorKit

/// The fields of the event that is being read, and what a stream keeps from event to event.
struct EventFields: Sendable {
    /// What a line is.
    enum Line {
        case field
        case comment(String)
        case end
    }

    // No server's wish is taken for longer: a century.
    private static let longestRetry = 100 * 365 * 86_400_000

    private(set) var lastEventID: String?
    private(set) var retry: Duration?

    private let limit: Int
    private var data: [UInt8] = []
    private var type = ""
    // Not the same as none: an empty id takes back the one before.
    private var id: String?
    private var eventRetry: Duration?

    init(limit: Int, lastEventID: String?) {
        self.limit = limit
        self.lastEventID = lastEventID
    }

    /// Forgets the event's fields, and goes on after an earlier event.
    mutating func begin(after id: String?) {
        lastEventID = id
        clear()
    }

    /// Forgets the event's fields.
    mutating func clear() {
        data.removeAll(keepingCapacity: data.count <= 1 << 16)
        type = ""
        id = nil
        eventRetry = nil
    }

    /// Ends the event at an empty line; `nil` if it has no data, and is none.
    mutating func dispatch() -> EventParser.Item? {
        if let id { lastEventID = id.isEmpty ? nil : id }
        defer { clear() }
        guard !data.isEmpty else { return nil }
        let event = HTTP.ServerSentEvent(
            data: String(decoding: data.dropLast(), as: UTF8.self),
            type: type.isEmpty ? "message" : type,
            id: lastEventID,
            retry: eventRetry
        )
        return .event(event, hasOwnID: id?.isEmpty == false)
    }

    /// Takes the next line.
    /// - Throws: ``HTTP/StreamingError`` if the event's data is larger than the limit.
    mutating func take(_ line: ArraySlice<UInt8>) throws(HTTP.StreamingError) -> Line {
        guard let first = line.first else { return .end }
        switch first {
        case UInt8(ascii: ":"):
            return .comment(String(decoding: line.dropFirst(), as: UTF8.self))
        case UInt8(ascii: "d"):
            if let value = value(of: "data", in: line) { try append(value) }
        case UInt8(ascii: "e"):
            if let value = value(of: "event", in: line) {
                type = String(decoding: value, as: UTF8.self)
            }
        case UInt8(ascii: "i"):
            if let value = value(of: "id", in: line), !value.contains(0) {
                id = String(decoding: value, as: UTF8.self)
            }
        case UInt8(ascii: "r"):
            if let value = value(of: "retry", in: line) { take(retry: value) }
        default:
            break
        }
        return .field
    }

    /// A field's value; `nil` if the line is another field.
    private func value(of name: String, in line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard line.starts(with: name.utf8) else { return nil }
        var rest = line.dropFirst(name.utf8.count)
        guard let colon = rest.popFirst() else { return rest }
        guard colon == UInt8(ascii: ":") else { return nil }
        if rest.first == UInt8(ascii: " ") { rest.removeFirst() }
        return rest
    }

    private mutating func append(_ value: ArraySlice<UInt8>) throws(HTTP.StreamingError) {
        guard value.count <= limit - data.count else {
            throw HTTP.StreamingError(
                .tooLong,
                "An event is larger than the limit of \(limit) bytes. Raise the limit if events of that size "
                    + "are to be expected."
            )
        }
        data.append(contentsOf: value)
        data.append(UInt8(ascii: "\n"))
    }

    private mutating func take(retry value: ArraySlice<UInt8>) {
        guard !value.isEmpty, value.allSatisfy({ 48...57 ~= $0 }) else { return }
        let milliseconds = Int(String(decoding: value, as: UTF8.self)) ?? Self.longestRetry
        retry = .milliseconds(min(milliseconds, Self.longestRetry))
        eventRetry = retry
    }
}
