import CoreMetrics
import Synchronization

/// A metrics system that counts and shows: enough for a page, where a service would export.
final class CountingMetrics: MetricsFactory {
    private let counts = Mutex<[String: Counter]>([:])

    /// Each count with its name and what tells it apart, the largest first.
    var current: [(name: String, count: Int64)] {
        counts.withLock { $0.map { ($0.key, $0.value.count) } }
            .sorted { ($1.count, $0.name) < ($0.count, $1.name) }
    }

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        let details = dimensions.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        return counts.withLock { counts in
            let name = details.isEmpty ? label : "\(label) (\(details))"
            let counter = counts[name] ?? Counter()
            counts[name] = counter
            return counter
        }
    }

    func makeRecorder(
        label: String,
        dimensions: [(String, String)],
        aggregate: Bool
    ) -> any RecorderHandler { NOOPMetricsHandler.instance }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        NOOPMetricsHandler.instance
    }

    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}

    private final class Counter: CounterHandler {
        private let value = Atomic<Int64>(0)

        var count: Int64 { value.load(ordering: .relaxed) }

        func increment(by amount: Int64) { value.add(amount, ordering: .relaxed) }
        func reset() { value.store(0, ordering: .relaxed) }
    }
}
