/// Receives what happens to calls.
///
/// A sink is called on the call's own path, possibly by many calls at once: take note and return. It
/// cannot fail a call and must not block one. What takes longer, or may throw, belongs in an
/// ``EventObserver``; who wants to read events in a loop takes an ``EventStream``.
public protocol EventSink: Sendable {
    /// Whether anybody will look at what is recorded. A call that starts while this is false reports
    /// nothing and costs what it costs without a sink. Defaults to true.
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

    /// This, if the sink is listening now.
    var listening: EventReceiver? { sink.isListening ? self : nil }
}
