public import InterceptorKit
import InterceptorKitConcurrency
public import InterceptorKitStreaming
import InterceptorKitTesting
import Synchronization

/// A transport that serves events as a resuming server does, and breaks as scripted.
///
/// ```swift
/// let feed = ScriptedEventStream(events).breaking(after: 17)
/// let client = try HTTP.Client(transport: feed, runtime: simulation.runtime) {}
///
/// let prices = try await prices(
///     from: client.events(.get("https://api.example.com/prices"))
/// )
///
/// #expect(prices == events.map(\.data))
/// ```
///
/// Each request is a connection. It gets the events after the one that it names by `Last-Event-ID`, or all events if it
/// names none or an unknown one, and then the end of the body; a request from the last event gets 204, which ends an
/// `HTTP.EventSource`. The first ``breaking(after:by:)``, ``answering(_:headers:body:)`` or ``failing(with:)``
/// determines what the first connection does instead, the second what the second one does, and so on.
///
/// Time is that of the runtime, so in a `Simulation` nothing waits. All state belongs to the instance.
public final class ScriptedEventStream: Transport {
    /// The way in which a connection breaks.
    public enum Break: Sendable, Hashable {
        /// The connection is lost: reading the body throws a `TransportError`.
        case error
        /// The body ends as if it were complete.
        case end
        /// The connection stays open and nothing more comes.
        case silence
    }

    /// A request that the stream received.
    public struct Connection: Sendable {
        /// The request.
        public let request: HTTP.Request
        /// The id that it resumes from; `nil` if it starts from the beginning.
        public let lastEventID: String?
        /// The time of the request, on the call's runtime.
        public let instant: Runtime.Instant
    }

    private let script: EventScript
    private let requested = Lock<[Connection]>([])
    private let openBodies = OpenBodies()

    private init(_ script: EventScript) { self.script = script }

    /// Creates a stream of events.
    /// - Parameters:
    ///   - events: The events, each with an id of its own if connections are to resume between them.
    ///   - interval: The time from one event to the next. The first one happens at the beginning of the runtime's
    ///     clock. Defaults to zero: all have happened.
    public convenience init(_ events: [HTTP.ServerSentEvent], every interval: Duration = .zero) {
        self.init(
            at: events.enumerated().map { (interval * $0.offset, $0.element) }
        )
    }

    /// Creates a stream of events that happen at instants.
    /// - Parameter events: The events in order, each with the time since the beginning of the runtime's clock, before
    ///   which no connection gets it.
    public convenience init(at events: [(time: Duration, event: HTTP.ServerSentEvent)]) {
        self.init(EventScript(events: events.map(\.event), times: events.map(\.time)))
    }

    /// Returns an unused stream whose next connection breaks.
    /// - Parameters:
    ///   - bytes: The number of bytes of its body that arrive, unless there are fewer.
    ///   - way: The way in which it breaks. Defaults to an error.
    public func breaking(after bytes: Int, by way: Break = .error) -> ScriptedEventStream {
        adding(.breaks(after: max(0, bytes), by: way))
    }

    /// Returns an unused stream whose next connection gets a status instead of events.
    /// - Parameters:
    ///   - status: The status, such as 503.
    ///   - headers: The header fields, such as `Retry-After`. Defaults to none.
    ///   - body: The body's text. Defaults to none.
    public func answering(
        _ status: HTTP.Status,
        headers: HTTP.Headers = [:],
        body: String = ""
    ) -> ScriptedEventStream {
        adding(.answers(HTTP.Response(status, headers: headers, body: .bytes(body.utf8))))
    }

    /// Returns an unused stream whose next connection cannot be made.
    /// - Parameter error: The error of sending the request. Defaults to a refused connection.
    public func failing(
        with error: any Error = TransportError(
            .cannotConnect,
            "The server refuses connections (scripted).",
            isUnsent: true
        )
    ) -> ScriptedEventStream {
        adding(.fails(error))
    }

    /// Returns an unused stream whose bodies arrive in chunks of a size.
    /// - Parameter bytes: The largest size of a chunk; at least 1. The default is one chunk per event.
    public func splitting(into bytes: Int) -> ScriptedEventStream {
        changing { $0.chunkSize = max(1, bytes) }
    }

    /// Returns an unused stream that finds the id to resume from elsewhere than in `Last-Event-ID`.
    /// - Parameter cursor: Returns the id of the last event that the client has, or `nil` for none.
    public func resuming(
        from cursor: @escaping @Sendable (_ request: HTTP.Request) -> String?
    ) -> ScriptedEventStream {
        changing { $0.cursor = cursor }
    }

    /// The requests so far, in order.
    public var connections: [Connection] { requested.withLock(\.self) }

    /// The number of bodies that are neither at their end nor released.
    public var openConnections: Int { openBodies.count }

    public nonisolated(nonsending) func send(
        _ request: HTTP.Request,
        call: Call
    ) async throws -> HTTP.Response {
        try Task.checkCancellation()
        let connection = Connection(
            request: request,
            lastEventID: script.cursor(request),
            instant: call.runtime.now
        )
        let index = requested.withLock { requested in
            requested.append(connection)
            return requested.count - 1
        }
        var response = try script.response(
            to: connection,
            number: index,
            over: openBodies,
            on: call.runtime
        )
        response.request = request
        return response
    }

    private func adding(_ behavior: EventScript.Behavior) -> ScriptedEventStream {
        changing { $0.behaviors.append(behavior) }
    }

    private func changing(_ change: (inout EventScript) -> Void) -> ScriptedEventStream {
        var script = script
        change(&script)
        return ScriptedEventStream(script)
    }
}
