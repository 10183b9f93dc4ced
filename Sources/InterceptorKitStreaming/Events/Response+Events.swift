public import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension HTTP.Response {
    /// Returns the events of a `text/event-stream` as they arrive.
    ///
    /// ```swift
    /// let response = try await api.send(.get("/prices"))
    /// for try await event in response.events() {
    ///     print(event.type, event.data)
    /// }
    /// ```
    ///
    /// The stream is parsed according to WHATWG HTML section 9.2.6: comments, and an event that the end of the stream
    /// cuts off, are dropped. This method reads one response; `HTTP.Client.events(_:options:timeout:configure:)`
    /// reconnects when a stream breaks.
    /// - Parameter limit: The largest size of an event's data and of a line, in bytes. Defaults to 1 MiB; a larger
    ///   event throws ``HTTP/StreamingError/Code/tooLong``.
    /// - Returns: The events. The body is read at the pace of the loop, and leaving the loop early releases it. Reading
    ///   throws ``HTTP/StreamingError/Code/unexpectedMediaType`` if the response is not an event stream, or the errors
    ///   of reading the body; the response's `onDecodingFailure` may replace these errors.
    public func events(
        limit: Int = 1 << 20
    ) -> some AsyncSequence<HTTP.ServerSentEvent, any Error> & Sendable {
        HTTP.ServerSentEvents(response: self, limit: limit)
    }
}

extension HTTP {
    /// The events of a response; see `HTTP.Response.events(limit:)`.
    struct ServerSentEvents: AsyncSequence, Sendable {
        typealias Element = ServerSentEvent

        /// The default limit of an event's size: 1 MiB.
        static let defaultLimit = 1 << 20

        let response: Response
        let limit: Int

        struct AsyncIterator: AsyncIteratorProtocol {
            private let response: Response
            private var chunks: Body.AsyncIterator
            private var parser: EventParser
            private var isChecked = false

            init(_ events: ServerSentEvents) {
                response = events.response
                chunks = events.response.body.makeAsyncIterator()
                parser = EventParser(limit: events.limit)
            }

            mutating func next() async throws -> ServerSentEvent? {
                do {
                    return try await read()
                } catch let error where !(error is CancellationError) {
                    throw response.onDecodingFailure?(error) ?? error
                }
            }

            private mutating func read() async throws -> ServerSentEvent? {
                if !isChecked { try checkMediaType() }
                while true {
                    while let item = try parser.next() {
                        if case .event(let event, _) = item { return event }
                    }
                    guard let chunk = try await chunks.next() else { return nil }
                    parser.append(chunk)
                }
            }

            private mutating func checkMediaType() throws(StreamingError) {
                guard response.isEventStream else { throw response.unexpectedMediaType }
                isChecked = true
            }
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
    }
}

extension HTTP.Response {
    var isEventStream: Bool { headers.mediaType == "text/event-stream" }

    var unexpectedMediaType: HTTP.StreamingError {
        let type =
            headers["Content-Type"].map { "has the type \(HTTP.printable($0))" } ?? "has no type"
        return HTTP.StreamingError(
            .unexpectedMediaType,
            "The response is no event stream: its body \(type), not text/event-stream.",
            response: self
        )
    }
}
