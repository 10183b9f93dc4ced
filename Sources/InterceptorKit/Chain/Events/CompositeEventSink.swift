/// Hands each event to several sinks, in the order given.
public struct CompositeEventSink: EventSink {
    /// Decides what may be shown, to all of them alike.
    public let redaction: Redaction
    private let sinks: [any EventSink]

    /// Creates a sink.
    /// - Parameters:
    ///   - sinks: Who is told. Those that are not listening are left out, event by event.
    ///   - redaction: Decides what may be shown, to all of them alike, whatever their own rules say.
    ///     Defaults to the standard rule.
    public init(_ sinks: [any EventSink], redaction: Redaction = .standard) {
        self.sinks = sinks
        self.redaction = redaction
    }

    /// Whether any of them is.
    public var isListening: Bool { sinks.contains { $0.isListening } }

    public func record(_ event: Event) {
        for sink in sinks where sink.isListening { sink.record(event) }
    }
}
