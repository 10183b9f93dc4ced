import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// One endpoint of a set, with its load and health, which it keeps when the set around it changes.
final class Member: Sendable {
    /// The end of a request to an endpoint.
    enum Ending: Sendable {
        /// The endpoint succeeded, or responded that the request is wrong.
        case responded
        /// - Parameter isUnsent: Whether the request is known to be unsent, for example after a refused connection.
        case failed(reason: String, retryAfter: Duration?, isUnsent: Bool)
        /// The endpoint asks for fewer requests.
        case throttled(retryAfter: Duration?)
        /// The caller stopped waiting, so the latency is at least the time until then.
        case abandoned
        /// A limit or a breaker below rejected the attempt; nothing was sent.
        case refused(retryAfter: Duration?)
        /// Nothing was sent.
        case unsent
    }

    /// The load that a choice compares.
    struct Reading: Sendable {
        var inFlight: Int
        /// In seconds; `nil` if unknown.
        var latency: Double?
        /// The weight, reduced during the slow start.
        var weight: Double
    }

    fileprivate struct State {
        var weight: Double
        var priority: Int
        var health: EndpointHealth
        var latency = LatencyEstimate()
        var inFlight = 0
        // The instant of the last response, or of the first request after a time without requests in flight.
        var progress: Tick = 0
        var warmFrom: Tick
        var latestCalls = LatestCalls()
        // Consecutive failures and throttled responses, and the end of the time for which the endpoint counts as slow.
        var setbacks = 0
        var penaltyEnd = Tick.min
    }

    let url: HTTP.URL
    let address: HTTP.ConnectAddress?
    let origin: HTTP.Origin?
    /// The hash for distributing keys, which is the same in every process.
    let hash: UInt64

    private let settings: BalancingNumbers
    private let state: Lock<State>

    /// - Parameter newSince: The instant at which the endpoint joined others in use; `nil` for an initial endpoint.
    init(
        _ endpoint: ServiceEndpoint,
        _ settings: BalancingNumbers,
        newSince: Runtime.Instant?
    ) {
        url = endpoint.url
        address = endpoint.address
        origin = endpoint.url.origin
        hash = StableHash.of(endpoint.url.text + (endpoint.address.map { " \($0)" } ?? ""))
        self.settings = settings
        state = Lock(
            State(
                weight: endpoint.weight,
                priority: endpoint.priority,
                health: EndpointHealth(settings.outlierDetection, availableSince: newSince),
                warmFrom: newSince?.tick ?? .min / 2
            )
        )
    }

    var endpoint: ServiceEndpoint {
        let (weight, priority) = state.withLock { ($0.weight, $0.priority) }
        return ServiceEndpoint(url, address: address, weight: weight, priority: priority)
    }

    var weight: Double { state.withLock { $0.weight } }

    var priority: Int { state.withLock { $0.priority } }

    func isAt(_ endpoint: ServiceEndpoint) -> Bool {
        url == endpoint.url && address == endpoint.address
    }

    func take(weight: Double, priority: Int) {
        state.withLock { state in
            state.weight = weight
            state.priority = priority
        }
    }

    func reading(at now: Tick) -> Reading {
        state.withLock { state in
            var latency = state.latency.mean(at: now, window: settings.latencyWindow)
            if now < state.penaltyEnd { latency = max(latency ?? 0, settings.failurePenalty) }
            if state.inFlight > 0 {
                // An endpoint that does not respond is at least as slow as the wait so far.
                let silence = (now - state.progress).seconds
                if silence > latency ?? settings.shortestSilence { latency = silence }
            }
            let age = now - state.warmFrom
            let warmth =
                age >= settings.slowStart
                ? 1 : max(0.1, Double(age) / Double(max(1, settings.slowStart)))
            return Reading(
                inFlight: state.inFlight,
                latency: latency,
                weight: state.weight * warmth
            )
        }
    }

    func availability(at now: Runtime.Instant) -> (isAvailable: Bool, until: Runtime.Instant?) {
        state.withLock { $0.health.availability(at: now) }
    }

    /// Records the start of a request, unless the endpoint is on trial and already has one.
    func begin(_ call: Call, at now: Runtime.Instant, _ tick: Tick, isForced: Bool) -> Bool {
        let id = call.id.number
        return state.withLock { state in
            if state.health.phase != .available, state.health.isOnTrial(at: now) {
                if state.inFlight > 0, !isForced { return false }
                state.latency.forget()
            }
            state.latestCalls.note(id, at: tick)
            if state.inFlight == 0 { state.progress = tick }
            state.inFlight += 1
            return true
        }
    }

    /// Returns the time of a call's last attempt here, so that its next one goes elsewhere; `nil` without one.
    func lastTry(of call: Call) -> Tick? {
        let id = call.id.number
        return state.withLock { $0.latestCalls.time(of: id) }
    }

    /// Records the end of a request.
    /// - Parameter jitter: A random number from -1 to 1.
    func end(
        _ ending: Ending,
        since began: Tick,
        at now: Runtime.Instant,
        jitter: @autoclosure () -> Double
    ) -> EndpointHealth.Change? {
        let tick = now.tick
        let elapsed = (tick - began).seconds
        return state.withLock { state in
            state.inFlight -= 1
            switch ending {
            case .responded:
                state.record(elapsed, at: tick, settings)
                state.setbacks = 0
                let change = state.health.succeeded(at: now)
                if change != nil { state.warmFrom = tick }
                return change
            case .failed(let reason, let retryAfter, _):
                let ejected = state.health.failed(at: now, reason, jitter: jitter())
                if case .ejected(_, let time) = ejected {
                    state.penaltyEnd = tick + time.ticks
                } else {
                    state.penalize(at: tick, settings)
                }
                return state.pause(for: retryAfter, at: now, settings) ?? ejected
            case .throttled(let retryAfter):
                state.penalize(at: tick, settings)
                // An endpoint that throttles is healthy.
                let change = state.health.succeeded(at: now)
                return state.pause(for: retryAfter, at: now, settings) ?? change
            case .abandoned:
                let known = state.latency.mean(at: tick, window: settings.latencyWindow)
                if elapsed > known ?? 0 {
                    state.latency.record(elapsed, at: tick, slot: settings.latencySlot)
                }
                return nil
            case .refused(let retryAfter):
                return state.pause(for: retryAfter, at: now, settings)
            case .unsent:
                return nil
            }
        }
    }

    func setDown(_ isDown: Bool, at now: Runtime.Instant) -> EndpointHealth.Change? {
        state.withLock { state in
            let change = state.health.setDown(isDown, at: now)
            if change == .passedCheck {
                state.warmFrom = now.tick
                state.latency.forget()
            }
            return change
        }
    }
}

extension Member.State {
    fileprivate mutating func record(_ seconds: Double, at now: Tick, _ settings: BalancingNumbers)
    {
        progress = now
        latency.record(seconds, at: now, slot: settings.latencySlot)
    }

    // A failure gives no latency. The endpoint counts as slow, for twice as long after each consecutive failure.
    fileprivate mutating func penalize(at now: Tick, _ settings: BalancingNumbers) {
        progress = now
        if case .ejected = health.phase { return }
        let time = settings.firstPenalty << Tick(min(setbacks, 10))
        penaltyEnd = now + min(time, settings.latencyWindow)
        setbacks += 1
    }

    fileprivate mutating func pause(
        for time: Duration?,
        at now: Runtime.Instant,
        _ settings: BalancingNumbers
    ) -> EndpointHealth.Change? {
        guard let time, time > .zero else { return nil }
        return health.pause(for: min(time, settings.maxRetryAfter), at: now)
    }
}
