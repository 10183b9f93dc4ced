public import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension HTTP.Body {
    /// Returns a body that sends events as a `text/event-stream` as they come.
    ///
    /// An event is requested from the sequence when the body's reader wants one, so a slow connection slows the
    /// sequence down. An event that cannot be encoded, or an error of the sequence, ends the body; its reader gets the
    /// error. A task reads the sequence until the body is complete, cancelled or released.
    /// - Parameters:
    ///   - events: The events.
    ///   - retry: The reconnection time of clients, sent first. Defaults to none: clients decide.
    /// - heartbeat: The silence after which a comment is sent, so that proxies and clients do not consider the
    ///   connection broken, and a disconnected client is detected. Defaults to 15 s, as WHATWG HTML section 9.2.7
    ///   advises; `nil` sends none.
    ///   - runtime: The clock of the heartbeat. Defaults to the live runtime.
    public static func eventStream<Events: AsyncSequence & Sendable>(
        _ events: Events,
        retry: Duration? = nil,
        heartbeat: Duration? = .seconds(15),
        runtime: Runtime = .live
    ) -> HTTP.Body where Events.Element == HTTP.ServerSentEvent {
        let stream = EncodedStream<Events>(
            events,
            first: retry.map { HTTP.ServerSentEvent.reconnectionTime($0) },
            heartbeat: heartbeat.flatMap { interval in
                interval > .zero
                    ? .init(interval: interval, comment: HTTP.ServerSentEvent.comment()) : nil
            },
            runtime: runtime
        ) { try $0.encoded() }
        return .oneShot(stream)
    }
}

extension HTTP.Response {
    /// Returns a response that sends events as a `text/event-stream` as they come.
    ///
    /// ```swift
    /// let events = try await broadcaster.events(after: request.headers["Last-Event-ID"])
    /// return .eventStream(events)
    /// ```
    ///
    /// The status is 200, which clients require. `Cache-Control: no-cache` prevents caches from serving past events,
    /// and `X-Accel-Buffering: no` prevents nginx from buffering.
    /// - Parameters:
    /// - events: The events; see ``HTTP/Body/eventStream(_:retry:heartbeat:runtime:)``.
    ///   - retry: The reconnection time of clients. Defaults to none: clients decide.
    ///   - heartbeat: The silence after which a comment is sent. Defaults to 15 s; `nil` sends none.
    ///   - runtime: The clock of the heartbeat. Defaults to the live runtime.
    public static func eventStream<Events: AsyncSequence & Sendable>(
        _ events: Events,
        retry: Duration? = nil,
        heartbeat: Duration? = .seconds(15),
        runtime: Runtime = .live
    ) -> HTTP.Response where Events.Element == HTTP.ServerSentEvent {
        HTTP.Response(
            200,
            headers: [
                "Content-Type": "text/event-stream",
                "Cache-Control": "no-cache",
                "X-Accel-Buffering": "no",
            ],
            body: .eventStream(events, retry: retry, heartbeat: heartbeat, runtime: runtime)
        )
    }
}
