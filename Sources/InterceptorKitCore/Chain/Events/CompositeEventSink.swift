/// Hands each event to several sinks, in the order given.
public struct CompositeEventSink: EventSink {
    private let sinks: [any EventSink]

    /// Creates a sink.
    /// - Parameter sinks: Who is told. Those that are not listening are left out, event by event.
    public init(_ sinks: [any EventSink]) { self.sinks = sinks }

    /// Whether any of them is.
    public var isListening: Bool { sinks.contains { $0.isListening } }

    public func record(_ event: Event) {
        for sink in sinks where sink.isListening { sink.record(event) }
    }
}
