import InterceptorKit
import Logging
import Synchronization
import Tracing

/// A tracer that keeps the newest spans and speaks W3C Trace Context: enough to look at, where a service
/// would export.
final class RecentSpans: Tracer {
    /// A span that has ended.
    struct Entry: Codable, Sendable {
        var trace: String
        var id: String
        var parent: String?
        var kind: String
        var name: String
        var milliseconds: Double
    }

    private static let kept = 1000
    private let spans = Mutex<[Entry]>([])

    /// Those of a trace, in the order in which they ended.
    func entries(of trace: String) -> [Entry] {
        spans.withLock { $0.filter { $0.trace == trace } }
    }

    func startSpan<Instant: TracerInstant>(
        _ operationName: String,
        context: @autoclosure () -> ServiceContext,
        ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant,
        function: String,
        file fileID: String,
        line: UInt
    ) -> RecentSpan {
        var context = context()
        let (outer, id) = (context.trace, Self.identifier())
        let trace = outer?.traceID ?? Self.identifier() + Self.identifier()
        context.trace = HTTP.TraceContext(traceparent: "00-\(trace)-\(id)-01")
        let start = instant().nanosecondsSinceEpoch
        return RecentSpan(context: context, operationName) { name, end in
            self.keep(
                Entry(
                    trace: trace,
                    id: id,
                    parent: outer?.parentID,
                    kind: "\(kind)",
                    name: name,
                    milliseconds: Double(max(start, end) - start) / 1e6
                )
            )
        }
    }

    func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier,
        into context: inout ServiceContext,
        using extractor: Extract
    ) where Extract.Carrier == Carrier {
        extractor.extract(key: "traceparent", from: carrier).map {
            context.trace = HTTP.TraceContext(traceparent: $0)
        }
    }

    func inject<Carrier, Inject: Injector>(
        _ context: ServiceContext,
        into carrier: inout Carrier,
        using injector: Inject
    ) where Inject.Carrier == Carrier {
        guard let trace = context.trace else { return }
        injector.inject(trace.traceparent, forKey: "traceparent", into: &carrier)
    }

    func forceFlush() {}

    private func keep(_ entry: Entry) {
        spans.withLock { spans in
            spans.append(entry)
            if spans.count > Self.kept { spans.removeFirst() }
        }
    }

    // Sixteen digits, not all of them zero.
    private static func identifier() -> String {
        let digits = String(Runtime.live.random() | 1, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

/// A span that says once, when it ends, under which name and when.
final class RecentSpan: Span {
    let context: ServiceContext
    private let state: Mutex<(name: String, attributes: SpanAttributes, isOver: Bool)>
    private let keep: @Sendable (String, UInt64) -> Void

    init(
        context: ServiceContext,
        _ name: String,
        keep: @escaping @Sendable (_ name: String, _ end: UInt64) -> Void
    ) {
        self.context = context
        state = Mutex((name, [:], false))
        self.keep = keep
    }

    var operationName: String {
        get { state.withLock(\.name) }
        set { state.withLock { $0.name = newValue } }
    }

    var attributes: SpanAttributes {
        get { state.withLock(\.attributes) }
        set { state.withLock { $0.attributes = newValue } }
    }

    var isRecording: Bool { !state.withLock(\.isOver) }

    func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
        let wasOver = state.withLock { state in
            defer { state.isOver = true }
            return state.isOver
        }
        if !wasOver { keep(operationName, instant().nanosecondsSinceEpoch) }
    }

    func setStatus(_ status: SpanStatus) {}
    func addEvent(_ event: SpanEvent) {}
    func addLink(_ link: SpanLink) {}

    func recordError<Instant: TracerInstant>(
        _ error: any Error,
        attributes: SpanAttributes,
        at instant: @autoclosure () -> Instant
    ) {}
}

extension ServiceContext {
    private enum Key: ServiceContextKey {
        typealias Value = HTTP.TraceContext
    }

    /// The trace that work is part of, and the span within it.
    fileprivate(set) var trace: HTTP.TraceContext? {
        get { self[Key.self] }
        set { self[Key.self] = newValue }
    }
}

extension Logger.MetadataProvider {
    /// Says in each line of which trace it is.
    static let trace = Logger.MetadataProvider {
        ServiceContext.current?.trace.map { ["trace-id": "\($0.traceID)"] } ?? [:]
    }
}
