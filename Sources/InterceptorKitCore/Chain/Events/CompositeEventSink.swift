/// An event sink that passes each event to several sinks, in the given order.
public struct CompositeEventSink: EventSink {
    private let sinks: [any EventSink]

    /// Creates a sink from several.
    /// - Parameter sinks: The sinks. For each event, those that are not listening are left out.
    public init(_ sinks: [any EventSink]) { self.sinks = sinks }

    /// Whether any of the sinks is listening.
    public var isListening: Bool { sinks.contains { $0.isListening } }

    public func record(_ event: Event) {
        for sink in sinks where sink.isListening { sink.record(event) }
    }
}
