import InterceptorKit
import Synchronization

/// The service of a scenario.
///
/// It works off requests in order and cannot know that a caller has left, so it works for those too. What
/// happens to a request is drawn by the seed, the call and the attempt alone: every strategy meets the same
/// world, whatever it sends before.
final class LeagueBackend: Transport {
    private struct State {
        /// When the work for each waiting request is done.
        var queue: [Double] = []
        var tokens: Double
        var filled = 0.0
    }

    let scenario: Scenario
    let tally: Tally
    private let seed: UInt64
    private let state: Mutex<State>

    init(_ scenario: Scenario, seed: UInt64, tally: Tally) {
        self.scenario = scenario
        self.seed = seed
        self.tally = tally
        state = Mutex(State(tokens: scenario.rateLimit))
    }

    nonisolated(nonsending) func send(
        _ request: HTTP.Request,
        call: Call
    ) async throws -> HTTP.Response {
        let runtime = call.runtime
        let now = runtime.now.seconds
        let number = call[CallNumber.self]
        tally.countSend(of: number, at: now)
        if scenario.isSilent(at: now) { try await runtime.sleep(for: .seconds(3600)) }
        if let index = call[ClassIndex.self] {
            return try await scenario.classes[index].response(to: number, call, seed: seed)
        }
        let isImpaired = scenario.isImpaired(at: now)
        if isImpaired, scenario.isDown {
            try await runtime.sleep(for: .milliseconds(1))
            throw TransportError(.cannotConnect, "The service refuses connections.", isUnsent: true)
        }
        if isImpaired, scenario.rateLimit > 0, !state.withLock({ take(&$0, at: now) }) {
            try await runtime.sleep(for: .milliseconds(1))
            return HTTP.Response(429, headers: ["Retry-After": "1"])
        }
        let draw = { (purpose: UInt64) in
            LeagueDraw.fraction(self.seed, UInt64(number), UInt64(call.attempt), purpose)
        }
        let failShare = isImpaired ? scenario.impairedFailShare : scenario.failShare
        guard draw(1) >= failShare, let done = state.withLock({ enqueue(&$0, at: now) }) else {
            try await runtime.sleep(for: .milliseconds(1))
            return HTTP.Response(503)
        }
        if isImpaired, draw(2) < scenario.hangShare { try await runtime.sleep(for: .seconds(3600)) }
        var latency = isImpaired ? scenario.impairedLatency : scenario.latency
        latency += scenario.jitter * draw(3)
        if draw(4) < scenario.slowShare { latency += 0.3 }
        try await runtime.sleep(until: Runtime.Instant(offset: .seconds(done + latency)))
        return HTTP.Response(isImpaired && call[IsBroken.self] ? 503 : 200)
    }

    /// When the work for a request that arrives now would be done; `nil` if it would get no turn.
    func completion(at now: Double) -> Double? {
        state.withLock { state in
            var copy = state
            if scenario.isImpaired(at: now), scenario.isDown { return nil }
            if scenario.isImpaired(at: now), scenario.rateLimit > 0, !take(&copy, at: now) {
                return nil
            }
            return enqueue(&copy, at: now)
        }
    }

    private func take(_ state: inout State, at now: Double) -> Bool {
        state.tokens = min(
            scenario.rateLimit,
            state.tokens + (now - state.filled) * scenario.rateLimit
        )
        state.filled = now
        guard state.tokens >= 1 else { return false }
        state.tokens -= 1
        return true
    }

    private func enqueue(_ state: inout State, at now: Double) -> Double? {
        let worked = state.queue.firstIndex { $0 > now } ?? state.queue.count
        state.queue.removeFirst(worked)
        guard state.queue.count < scenario.queue else { return nil }
        let done = scenario.end(ofWorkFrom: max(now, state.queue.last ?? 0))
        state.queue.append(done)
        return done
    }
}

extension Scenario {
    /// When the work for one request is done that begins at a time; a change of pace on the way counts.
    fileprivate func end(ofWorkFrom start: Double) -> Double {
        var (time, left) = (start, 1.0)
        let last = length + 60
        while time < last {
            let pace = capacity(at: time)
            // Capacities change at multiples of this, or as good as.
            let next = ((time / 0.05).rounded(.down) + 1) * 0.05
            let end = min(next > time ? next : time + 0.05, last)
            if pace > 0, time + left / pace <= end { return time + left / pace }
            left -= pace * (end - time)
            time = end
        }
        return last
    }
}

/// The number of the call a send belongs to.
enum CallNumber: CallKey {
    static let defaultValue = 0
}

/// The class of the call; `nil` for the service's usual calls.
enum ClassIndex: CallKey {
    static var defaultValue: Int? { nil }
}

/// The number of the call among those of its class.
enum NumberInClass: CallKey {
    static let defaultValue = 0
}

/// Whether the call is of the kind that fails while the cause lasts.
enum IsBroken: CallKey {
    static let defaultValue = false
}

/// Numbers that depend on what they are drawn for, and on nothing before.
enum LeagueDraw {
    static func fraction(_ keys: UInt64...) -> Double {
        var mixed: UInt64 = 0
        for key in keys { mixed = mix(mixed ^ key) }
        return Double(mixed >> 11) * 0x1p-53
    }

    // SplitMix64's step and finalizer.
    private static func mix(_ value: UInt64) -> UInt64 {
        var mixed = value &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

extension Runtime.Instant {
    /// Seconds since the clock's beginning.
    var seconds: Double { offset / .seconds(1) }
}
