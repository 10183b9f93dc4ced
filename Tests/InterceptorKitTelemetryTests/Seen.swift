#if Tracing
import Synchronization
import Tracing

/// Notes where a task stands.
final class Seen: Sendable {
    private let entries = Mutex<[String]>([])

    var notes: [String] { entries.withLock { $0 } }

    func note(_ entry: String) { entries.withLock { $0.append(entry) } }

    /// Notes the span.
    func look() { note(ServiceContext.current?[RecordingTracer.Key.self]?[1] ?? "none") }
}
#endif
