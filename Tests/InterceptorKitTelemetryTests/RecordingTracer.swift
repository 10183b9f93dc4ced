#if Tracing
import InterceptorKit
import Synchronization
import Tracing

/// A span as a backend would receive it.
struct RecordedSpan: Sendable {
    let name: String
    let kind: SpanKind
    let traceID: String
    let id: String
    let parent: String?
    let start: UInt64
    var attributes: SpanAttributes = [:]
    var status: SpanStatus?
    var ends: [UInt64] = []
    /// What else is told of it: events, errors and links, as text.
    var remarks: [String] = []

    func text(_ name: String) -> String? {
        guard case .string(let text)? = attributes.get(name) else { return nil }
        return text
    }

    func number(_ name: String) -> Int? {
        switch attributes.get(name) {
        case .int32(let number)?: Int(number)
        case .int64(let number)?: Int(number)
        default: nil
        }
    }
}

/// Keeps spans, and propagates them as W3C Trace Context does.
final class RecordingTracer: Tracer {
    enum Key: ServiceContextKey {
        typealias Value = [String]
    }

    private let recorded = Mutex<[RecordedSpan]>([])

    /// All spans, in the order they began.
    var spans: [RecordedSpan] { recorded.withLock { $0 } }

    func startSpan<Instant: TracerInstant>(
        _ operationName: String,
        context: @autoclosure () -> InstrumentationContext,
        ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant,
        function: String,
        file fileID: String,
        line: UInt
    ) -> RecordingSpan {
        var context = context()
        let outer = context[Key.self]
        let start = instant().nanosecondsSinceEpoch
        let index = recorded.withLock { spans in
            let number = "\(spans.count + 1)"
            let id = String(repeating: "0", count: 16 - number.count) + number
            spans.append(
                RecordedSpan(
                    name: operationName,
                    kind: kind,
                    traceID: outer?[0] ?? id + id,
                    id: id,
                    parent: outer?[1],
                    start: start
                )
            )
            return spans.count - 1
        }
        let span = spans[index]
        context[Key.self] = [span.traceID, span.id]
        return RecordingSpan(context: context) { change in
            self.recorded.withLock { change(&$0[index]) }
        }
    }

    func inject<Carrier, Inject: Injector>(
        _ context: InstrumentationContext,
        into carrier: inout Carrier,
        using injector: Inject
    ) where Carrier == Inject.Carrier {
        guard let ids = context[Key.self] else { return }
        injector.inject("00-\(ids[0])-\(ids[1])-01", forKey: "traceparent", into: &carrier)
    }

    func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier,
        into context: inout InstrumentationContext,
        using extractor: Extract
    ) where Carrier == Extract.Carrier {
        guard let text = extractor.extract(key: "traceparent", from: carrier),
            let received = HTTP.TraceContext(traceparent: text)
        else { return }
        context[Key.self] = [received.traceID, received.parentID]
    }

    func forceFlush() {}
}

struct RecordingSpan: Span {
    let context: InstrumentationContext
    let change: @Sendable ((inout RecordedSpan) -> Void) -> Void

    var operationName: String {
        get { span.name }
        nonmutating set {}
    }

    var attributes: SpanAttributes {
        get { span.attributes }
        nonmutating set { change { $0.attributes = newValue } }
    }

    var isRecording: Bool { true }

    private var span: RecordedSpan {
        var found: RecordedSpan?
        change { found = $0 }
        return found
            ?? RecordedSpan(name: "", kind: .internal, traceID: "", id: "", parent: nil, start: 0)
    }

    func setStatus(_ status: SpanStatus) { change { $0.status = status } }

    func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
        let end = instant().nanosecondsSinceEpoch
        change { $0.ends.append(end) }
    }

    func addEvent(_ event: SpanEvent) { change { $0.remarks.append("\(event)") } }

    func recordError<Instant: TracerInstant>(
        _ error: any Error,
        attributes: SpanAttributes,
        at instant: @autoclosure () -> Instant
    ) { change { $0.remarks.append("\(error) \(attributes)") } }

    func addLink(_ link: SpanLink) { change { $0.remarks.append("\(link)") } }
}
#endif
