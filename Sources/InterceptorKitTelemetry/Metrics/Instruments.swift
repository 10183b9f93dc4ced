#if Metrics
import InterceptorKit
import InterceptorKitConcurrency
import Metrics
import Synchronization

final class Instruments: Sendable {
    private let factory: any MetricsFactory
    private let limit: Int
    private let names = Lock<[String: Set<String>]>([:])
    private let timers = InstrumentCache<Timer>()
    private let recorders = InstrumentCache<Recorder>()
    private let counters = InstrumentCache<Counter>()
    private let meters = InstrumentCache<Meter>()

    init(factory: any MetricsFactory, limit: Int) {
        self.factory = factory
        self.limit = limit
    }

    /// Returns the name, or `_OTHER` if the limit of names of this sort is reached.
    func known(_ name: String, among sort: String) -> String {
        names.withLock { names in
            if names[sort, default: []].contains(name) { return name }
            guard names[sort, default: []].count < limit else { return KnownMethod.other }
            names[sort, default: []].insert(name)
            return name
        }
    }

    func timer(_ label: String, _ labels: Labels) -> Timer {
        timers.instrument(label, labels) {
            Timer(
                label: label,
                dimensions: $0,
                preferredDisplayUnit: .seconds,
                factory: factory
            )
        }
    }

    func recorder(_ label: String, _ labels: Labels) -> Recorder {
        recorders.instrument(label, labels) {
            Recorder(label: label, dimensions: $0, factory: factory)
        }
    }

    func counter(_ label: String, _ labels: Labels) -> Counter {
        counters.instrument(label, labels) {
            Counter(label: label, dimensions: $0, factory: factory)
        }
    }

    func meter(_ label: String, _ labels: Labels) -> Meter {
        meters.instrument(label, labels) {
            Meter(label: label, dimensions: $0, factory: factory)
        }
    }
}

private final class InstrumentCache<Instrument: Sendable>: Sendable {
    private struct Key: Hashable {
        let label: String
        let labels: Labels
    }

    private let instruments = Lock<[Key: Instrument]>([:])

    // Call the factory outside the lock, because it is foreign code; a superfluous instrument is released.
    func instrument(
        _ label: String,
        _ labels: Labels,
        make: ([(String, String)]) -> Instrument
    ) -> Instrument {
        let key = Key(label: label, labels: labels)
        if let known = instruments.withLock({ $0[key] }) { return known }
        let made = make(labels.dimensions)
        return instruments.withLock { instruments in
            if let known = instruments[key] { return known }
            instruments[key] = made
            return made
        }
    }
}
#endif
