/// A receiver of events about calls.
///
/// Calls invoke a sink synchronously, possibly many calls at once: record the event and return. A sink cannot fail a
/// call and must not block one. For slow or throwing work, use an ``EventObserver``; to read events in a loop, use an
/// ``EventPublisher``.
public protocol EventSink: Sendable {
    /// Whether anybody uses the recorded events. A call that starts while it is `false` reports nothing and costs the
    /// same as without a sink. Defaults to `true`.
    var isListening: Bool { get }

    /// Records an event.
    func record(_ event: Event)
}

extension EventSink {
    public var isListening: Bool { true }
}

/// A sink behind one reference, which calls copy faster than the sink itself.
final class EventReceiver: Sendable {
    let sink: any EventSink

    init(_ sink: any EventSink) { self.sink = sink }

    var listening: EventReceiver? { sink.isListening ? self : nil }
}

/// An event sink that passes each event to several sinks, in the given order.
public struct CompositeEventSink: EventSink {
    private let sinks: [any EventSink]

    /// Creates a sink from several.
    /// - Parameter sinks: The sinks. An event goes only to those that are listening.
    public init(_ sinks: [any EventSink]) { self.sinks = sinks }

    /// Whether any of the sinks is listening.
    public var isListening: Bool { sinks.contains { $0.isListening } }

    public func record(_ event: Event) {
        for sink in sinks where sink.isListening { sink.record(event) }
    }
}
