import InterceptorKit

/// The fields of the event being read, and the state that a stream keeps between events.
struct EventFields: Sendable {
    enum Line {
        case field
        case comment(String)
        case end
    }

    // A longer `retry` is reduced to 100 years.
    private static let longestRetry = 100 * 365 * 86_400_000

    private(set) var lastEventID: String?
    private(set) var retry: Duration?

    private let limit: Int
    private var data: [UInt8] = []
    private var type = ""
    // `nil` is not the same as empty: an empty id resets the previous one.
    private var id: String?
    private var eventRetry: Duration?

    init(limit: Int, lastEventID: String?) {
        self.limit = limit
        self.lastEventID = lastEventID
    }

    /// Discards the event's fields, and continues after an earlier event.
    mutating func begin(after id: String?) {
        lastEventID = id
        clear()
    }

    mutating func clear() {
        data.removeAll(keepingCapacity: data.count <= 1 << 16)
        type = ""
        id = nil
        eventRetry = nil
    }

    /// Ends the event at an empty line; returns `nil` if it has no data, and so is not an event.
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

    /// Parses the next line.
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

    /// Returns a field's value; `nil` if the line is another field.
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
