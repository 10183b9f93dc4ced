public import InterceptorKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HTTP.ServerSentEvent {
    /// Returns the encoded event for a `text/event-stream`, with the empty line that ends it.
    ///
    /// ```swift
    /// let event = HTTP.ServerSentEvent(data: "3.90", type: "price", id: "7")
    /// let bytes = try event.encoded()  // id: 7, event: price, data: 3.90, and an empty line
    /// ```
    ///
    /// A parser (WHATWG HTML section 9.2.6) decodes the same event, except that CR LF and CR in the data become LF, and
    /// that `retry` is rounded up to milliseconds. A `type` that is `message` or empty is the default and is not
    /// written. An empty `id` makes clients forget the last one.
    /// - Throws: ``HTTP/StreamingError/Code/invalidEvent`` if the id contains CR, LF or NUL, the type contains CR or
    ///   LF, or `retry` is negative. No value can add a field or an event.
    public func encoded() throws(HTTP.StreamingError) -> Data {
        try validate()
        var bytes = Data()
        bytes.reserveCapacity(data.utf8.count + 64)
        if let id { bytes.appendField("id", id) }
        if !type.isEmpty, type != "message" { bytes.appendField("event", type) }
        if let retry { bytes.appendField("retry", "\(retry.millisecondsRoundedUp)") }
        for line in data.streamLines { bytes.appendField("data", line) }
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    /// Returns an encoded comment for a `text/event-stream`, which clients ignore.
    ///
    /// A comment shows that a connection is alive; ``HTTP/Body/eventStream(_:retry:heartbeat:runtime:)`` sends comments
    /// in the absence of events.
    /// - Parameter text: The comment's text, with any number of lines. Defaults to none.
    public static func comment(_ text: String = "") -> Data {
        var bytes = Data()
        for line in text.streamLines { bytes.appendField("", line) }
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    /// Returns an encoded reconnection time for clients, without an event.
    static func reconnectionTime(_ time: Duration) -> Data {
        var bytes = Data()
        bytes.appendField("retry", "\(max(.zero, time).millisecondsRoundedUp)")
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    func validate() throws(HTTP.StreamingError) {
        if let id, id.utf8.contains(where: { $0.isLineEnding || $0 == 0 }) {
            throw HTTP.StreamingError(
                .invalidEvent,
                "The id of an event contains a line ending or NUL, which no client would get back. Choose an "
                    + "id of printable ASCII.",
                event: self
            )
        }
        if type.utf8.contains(where: \.isLineEnding) {
            throw HTTP.StreamingError(
                .invalidEvent,
                "The type of an event contains a line ending, so the rest would become another field.",
                event: self
            )
        }
        if let retry, retry < .zero {
            throw HTTP.StreamingError(
                .invalidEvent,
                "The time to wait before connecting again is negative. Set zero or more.",
                event: self
            )
        }
    }
}

extension UInt8 {
    fileprivate var isLineEnding: Bool { self == UInt8(ascii: "\n") || self == UInt8(ascii: "\r") }
}

extension String {
    /// The lines between CR LF, LF and CR; a single one if there is no line ending.
    fileprivate var streamLines: [Substring.UTF8View] {
        var lines: [Substring.UTF8View] = []
        var start = utf8.startIndex
        var index = start
        while index < utf8.endIndex {
            let byte = utf8[index]
            let end = index
            index = utf8.index(after: index)
            guard byte.isLineEnding else { continue }
            lines.append(self[start..<end].utf8)
            if byte == UInt8(ascii: "\r"), index < utf8.endIndex, utf8[index] == UInt8(ascii: "\n")
            {
                index = utf8.index(after: index)
            }
            start = index
        }
        lines.append(self[start...].utf8)
        return lines
    }
}

extension Data {
    fileprivate mutating func appendField(_ name: String, _ value: String) {
        appendField(name, value[...].utf8)
    }

    fileprivate mutating func appendField(_ name: String, _ value: Substring.UTF8View) {
        append(contentsOf: name.utf8)
        append(UInt8(ascii: ":"))
        // Parsers drop one space, so add one; the value may begin with another.
        if !value.isEmpty { append(UInt8(ascii: " ")) }
        append(contentsOf: value)
        append(UInt8(ascii: "\n"))
    }
}

extension Duration {
    /// This duration in milliseconds, rounded up; at most 100 years.
    fileprivate var millisecondsRoundedUp: Int64 {
        let (seconds, attoseconds) = components
        let longest: Int64 = 100 * 365 * 86_400
        guard seconds < longest else { return longest * 1000 }
        return seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    }
}
