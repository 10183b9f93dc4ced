#if Metrics
public import InterceptorKit
import InterceptorKitConcurrency
public import Metrics
import Synchronization

/// Measures sends and counts decisions, by the events of calls.
///
/// ```swift
/// let api = try HTTP.Client(transport: transport, events: MetricsEventSink()) {
///     RetryInterceptor(policy: .standard)
/// }
/// ```
///
/// The names are those of the OpenTelemetry HTTP conventions 1.44. Each attempt is measured as a send, from its start
/// in the transport to the response's head; each call, from its start to its outcome. Labels are bounded: the methods
/// of RFC 9110, a limited number of hosts, statuses, and types of errors; never paths. A cancelled send has no
/// `error.type`.
///
/// Instruments are called in the path of calls, for which metrics systems are designed.
public final class MetricsEventSink: EventSink {
    /// The upper bounds of the buckets that OpenTelemetry recommends for `http.client.request.duration`, in seconds.
    /// swift-metrics cannot set them: configure the metrics system with them.
    public static let durationBuckets: [Double] = [
        0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
    ]

    private struct State {
        var sends: [Event.Activity.ID: OpenSend] = [:]
        var bodies: [Event.Activity.ID: Labels] = [:]
    }

    private let instruments: Instruments
    private let state = Lock(State())

    /// Creates a sink.
    /// - Parameters:
    ///   - factory: Creates the instruments. Defaults to the process's current one: bootstrap first.
    ///   - limit: The largest number of hosts, and of authorities of breakers and limits, that get their own labels;
    ///     later ones are `_OTHER`. Defaults to 100.
    public init(factory: any MetricsFactory = MetricsSystem.factory, hosts limit: Int = 100) {
        instruments = Instruments(factory: factory, limit: limit)
    }

    public func record(_ event: Event) {
        switch (event.activity?.kind, event.phase) {
        case (.transport?, .began): begin(event)
        case (.transport?, .ended): end(event)
        case (.responseBody?, .began): note(body: event)
        case (.responseBody?, .ended): end(body: event)
        case (.call?, .ended(let ending)): end(call: event, ending)
        case (_, .moment): count(event)
        default: break
        }
    }

    private func begin(_ event: Event) {
        guard let id = event.activity?.id,
            let target = Labels(target: event.attributes, instruments)
        else { return }
        let size = event.attributes.requestBodySize
        let send = OpenSend(target: target, began: event.instant, requestSize: size)
        state.withLock { $0.sends[id] = send }
        instruments.meter("http.client.active_requests", target).increment()
    }

    private func end(_ event: Event) {
        guard let id = event.activity?.id,
            let send = state.withLock({ $0.sends.removeValue(forKey: id) })
        else { return }
        instruments.meter("http.client.active_requests", send.target).decrement()
        let labels = send.target.adding(outcome: event.attributes)
        instruments.timer("http.client.request.duration", labels)
            .record(send.began.duration(to: event.instant))
        if let size = send.requestSize {
            instruments.recorder("http.client.request.body.size", labels).record(size)
        }
        if let body = send.body {
            state.withLock { $0.bodies[body] = labels }
        } else if let size = event.attributes.responseBodySize {
            instruments.recorder("http.client.response.body.size", labels).record(size)
        }
    }

    // A body begins before its send ends, and ends when its reader is done.
    private func note(body event: Event) {
        guard let id = event.activity?.id, let send = event.activity?.parent else { return }
        state.withLock { $0.sends[send]?.body = id }
    }

    private func end(body event: Event) {
        guard let id = event.activity?.id,
            let labels = state.withLock({ $0.bodies.removeValue(forKey: id) }),
            let size = event.attributes.bytes
        else { return }
        instruments.recorder("http.client.response.body.size", labels).record(size)
    }

    private func end(call event: Event, _ ending: Event.Ending) {
        guard let duration = event.attributes.duration else { return }
        instruments.timer("interceptorkit.call.duration", Labels([("outcome", ending.rawValue)]))
            .record(duration)
    }

    private func count(_ event: Event) {
        if event.name == .bodySent {
            guard let send = event.activity?.id, let bytes = event.attributes.bytes
            else { return }
            state.withLock { $0.sends[send]?.requestSize = bytes }
        }
        guard let labels = Labels(decision: event, instruments) else { return }
        instruments.counter("interceptorkit.\(event.name)", labels).increment()
        if event.name == .retryScheduled, let delay = event.attributes.delay {
            instruments.timer("interceptorkit.retry.delay", Labels([])).record(delay)
        }
    }
}

private struct OpenSend {
    let target: Labels
    let began: Runtime.Instant
    var requestSize: Int?
    var body: Event.Activity.ID?
}

extension Timer {
    fileprivate func record(_ duration: Duration) { recordSeconds(max(0, duration.inSeconds)) }
}
#endif
