public import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// An event sink that keeps every event in order.
public final class RecordingEventSink: EventSink {
    private let state = Lock<[Event]>([])

    /// Creates an empty sink.
    public init() {}

    /// The events, in order.
    public var events: [Event] { state.withLock { $0 } }

    /// The events' names, in order.
    public var names: [Event.Name] { events.map(\.name) }

    /// One line for each event, as in
    /// `0.05 s, attempt 1: retry.scheduled from RetryInterceptor (delay: 0.05 s, reason: 503)`.
    public var timeline: String { events.map(line).joined(separator: "\n") }

    public func record(_ event: Event) { state.withLock { $0.append(event) } }

    private func line(_ event: Event) -> String {
        let attributes = event.attributes.sorted { $0.key < $1.key }
            .map { "\($0.key): \($0.value)" }
            .joined(separator: ", ")
        return "\(event.instant.offset.formattedSeconds), attempt \(event.attempt): \(event.name) "
            + "from \(event.source)" + (attributes.isEmpty ? "" : " (\(attributes))")
    }
}
