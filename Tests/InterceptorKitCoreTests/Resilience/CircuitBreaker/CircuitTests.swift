import Expectations
import InterceptorKit
import TestRun
import TestSupport
import Testing

@testable import InterceptorKitCore

@Suite("Circuit")
struct CircuitTests {
    @Test("stays closed after 19 failures of 19 calls, and opens at the 20th")
    func minimumCalls() {
        var circuit = Circuit.steady()
        for _ in 0..<19 { circuit.call(.failed, at: at(0)) }
        expectEqual(circuit.state, .closed)

        circuit.call(.failed, at: at(0))

        expectEqual(circuit.phase, .open(until: at(5)))
        expectEqual(circuit.cause, "20 of 20 calls failed, the last by 503")
    }

    @Test("opens at exactly the failure ratio, and not below it")
    func ratio() {
        var below = Circuit.steady()
        for _ in 0..<11 { below.call(.good, at: at(0)) }
        for _ in 0..<10 { below.call(.failed, at: at(0)) }
        var exact = Circuit.steady()
        for _ in 0..<10 { exact.call(.good, at: at(0)) }
        for _ in 0..<10 { exact.call(.failed, at: at(0)) }

        expectEqual(below.state, .closed)
        expectEqual(exact.state, .open)
    }

    @Test("does not count failures older than the window")
    func window() {
        var circuit = Circuit.steady()
        for _ in 0..<19 { circuit.call(.failed, at: at(0)) }

        circuit.call(.failed, at: at(30))

        expectEqual(circuit.state, .closed)
        expectEqual(circuit.status(at: at(30)).calls, 1)
    }

    @Test("never opens by a success, whatever came before")
    func success() {
        var circuit = Circuit.steady()
        for _ in 0..<19 { circuit.call(.failed, at: at(0)) }

        circuit.call(.good, at: at(0))

        expectEqual(circuit.state, .closed)
    }

    @Test("ignores outcomes that say nothing about the server")
    func unknown() {
        var circuit = Circuit.steady()

        for _ in 0..<100 { circuit.call(.unknown, at: at(0)) }

        expectEqual(circuit.status(at: at(0)).calls, 0)
    }

    @Test("opens by slow calls if they count")
    func slowCalls() {
        var policy = CircuitBreakerPolicy()
        policy.slowCallRatio = 0.5
        policy.slowCallDuration = .seconds(1)
        var circuit = Circuit.steady(policy)
        for _ in 0..<10 { circuit.call(.good, at: at(0)) }

        for _ in 0..<10 { circuit.call(.slow, at: at(0)) }

        expectEqual(circuit.state, .open)
        expectEqual(circuit.cause, "10 of 20 calls were slow")
    }

    @Test("rejects calls until the break is over, and says when that is")
    func open() {
        var circuit = Circuit.opened()

        expectEqual(circuit.enter(at: 4.9), .refused(until: at(5)))
        expectEqual(circuit.status(at: at(2)).retryAfter, .seconds(3))
        expectTrue(circuit.enter(at: 5) != .refused(until: at(5)))
        expectEqual(circuit.state, .halfOpen)
    }

    @Test("admits one probe at a time")
    func oneProbe() throws {
        var circuit = Circuit.opened()
        let probe = try circuit.permission(at: 5)

        expectEqual(circuit.enter(at: 5), .refused(until: at(10)))

        circuit.leave(probe, .good, at: at(6)) { 0.5 }

        expectEqual(circuit.state, .halfOpen)
        _ = try circuit.permission(at: 6)
    }

    @Test("closes after two successes, and then starts counting again")
    func closing() {
        var circuit = Circuit.opened()

        circuit.call(.good, at: at(5))
        circuit.call(.good, at: at(5))

        expectEqual(circuit.state, .closed)
        expectEqual(circuit.status(at: at(5)), CircuitBreaker.Status())
        for _ in 0..<19 { circuit.call(.failed, at: at(6)) }
        expectEqual(circuit.state, .closed)
    }

    @Test("admits another probe one break period after a lost one")
    func lostProbe() throws {
        var circuit = Circuit.opened()
        _ = try circuit.permission(at: 7)
        expectEqual(circuit.enter(at: 11.9), .refused(until: at(12)))

        let second = try circuit.permission(at: 12)

        expectEqual(circuit.enter(at: 12), .refused(until: at(17)))
        circuit.leave(second, .good, at: at(12)) { 0.5 }
        circuit.call(.good, at: at(12))
        expectEqual(circuit.state, .closed)
    }

    @Test("counts a slow probe's success, and keeps the newer probe's permit")
    func overtakenProbe() throws {
        var circuit = Circuit.opened()
        let first = try circuit.permission(at: 5)
        let second = try circuit.permission(at: 10)

        circuit.leave(first, .good, at: at(11)) { 0.5 }

        expectEqual(circuit.enter(at: 11), .refused(until: at(15)))
        circuit.leave(second, .good, at: at(12)) { 0.5 }
        expectEqual(circuit.state, .closed)
    }

    @Test("returns the permit of a probe with an inconclusive outcome")
    func ignoredProbe() {
        var circuit = Circuit.opened()

        circuit.call(.unknown, at: at(5))

        expectEqual(circuit.phase, .halfOpen(lease: nil, successes: 0))
        circuit.call(.good, at: at(5))
        circuit.call(.unknown, at: at(5))
        expectEqual(circuit.phase, .halfOpen(lease: nil, successes: 1))
    }

    @Test("doubles the break at each failed probe up to 60 s, until it closes")
    func growingBreaks() {
        var circuit = Circuit.opened()
        var now = 5.0
        var breaks: [Double] = []
        for _ in 0..<6 {
            circuit.call(.failed, at: at(now))
            guard case .open(let end) = circuit.phase else { break }
            breaks.append(end.offset.inSeconds - now)
            now = end.offset.inSeconds
        }
        expectEqual(breaks, [10, 20, 40, 60, 60, 60])
        expectEqual(circuit.cause, "a probe failed: 503")

        circuit.call(.good, at: at(now))
        circuit.call(.good, at: at(now))
        for _ in 0..<20 { circuit.call(.failed, at: at(now)) }

        expectEqual(circuit.phase, .open(until: at(now + 5)))
    }

    @Test("counts a slow probe as a failure")
    func slowProbe() {
        var circuit = Circuit.opened()

        circuit.call(.slow, at: at(5))

        expectEqual(circuit.phase, .open(until: at(15)))
    }

    @Test(
        "varies breaks by a fifth either way, and never beyond the limit",
        arguments: [(0.0, 4.0, 40.0), (0.5, 5.0, 50.0), (0.999999, 6.0, 60.0)]
    )
    func jitter(fraction: Double, first: Double, longest: Double) throws {
        var circuit = Circuit(policy: CircuitBreakerPolicy())
        var breaks: [Double] = []
        var now = at(0)
        for _ in 0..<30 {
            circuit.call(.failed, at: now, fraction)
            guard case .open(let end) = circuit.phase else { continue }
            breaks.append(now.duration(to: end).inSeconds)
            now = end
        }

        expectTrue(abs(try unwrap(breaks.first) - first) < 0.001)
        expectTrue(abs(try unwrap(breaks.last) - longest) < 0.001)
    }

    @Test(
        "stays open as long as Retry-After asks, up to a minute",
        arguments: [(1, 5.0), (17, 17.0), (60, 60.0), (3600, 60.0)]
    )
    func retryAfter(seconds: Int, length: Double) {
        var circuit = Circuit.steady()

        for _ in 0..<20 {
            circuit.call(.bad(reason: "503", retryAfter: .seconds(seconds)), at: at(0))
        }

        expectEqual(circuit.phase, .open(until: at(length)))
    }

    @Test("ignores the outcome of calls that began before it opened")
    func lateResults() throws {
        var circuit = Circuit.steady()
        let early = try (0..<3).map { _ in try circuit.permission(at: 0) }
        for _ in 0..<20 { circuit.call(.failed, at: at(0)) }

        circuit.leave(early[0], .good, at: at(1)) { 0.5 }
        expectEqual(circuit.phase, .open(until: at(5)))
        let probe = try circuit.permission(at: 5)
        circuit.leave(early[1], .good, at: at(6)) { 0.5 }
        circuit.leave(early[2], .failed, at: at(6)) { 0.5 }

        expectEqual(circuit.phase, .halfOpen(lease: at(10), successes: 0))
        circuit.leave(probe, .good, at: at(6)) { 0.5 }
        expectEqual(circuit.phase, .halfOpen(lease: nil, successes: 1))
    }

    @Test("ignores a late success from before it opened, once closed again")
    func lateSuccess() throws {
        var circuit = Circuit.steady()
        let early = try circuit.permission(at: 0)
        for _ in 0..<20 { circuit.call(.failed, at: at(0)) }
        for _ in 0..<2 { circuit.call(.good, at: at(5)) }
        expectEqual(circuit.state, .closed)

        let isCounted = circuit.countSuccess(early, at: at(6))

        expectTrue(!isCounted)
        expectEqual(circuit.status(at: at(6)).calls, 0)
    }

    @Test("does not change the length of a break that is over")
    func lateLength() throws {
        var circuit = Circuit.opened()
        _ = try circuit.permission(at: 5)
        let before = circuit.phase

        circuit.setBreak(.seconds(9), number: 1, after: .failed, at: at(5), fraction: 0.5)

        expectEqual(circuit.phase, before)
    }

    @Test("counts without opening if it may not open")
    func watching() throws {
        var circuit = Circuit.steady()

        for _ in 0..<30 {
            let permission = try unwrap(circuit.watch())
            circuit.leave(permission, .failed, at: at(0), mayOpen: false) { 0.5 }
        }

        expectEqual(circuit.state, .closed)
        expectEqual(circuit.status(at: at(0)).failures, 30)
    }

    @Test("admits a probe within one break period in any order of events")
    func alwaysAProbe() throws {
        for seed in 0..<cases(400, of: 2000) as Range<UInt64> {
            var random = SplitMix64(seed: seed)
            func draw() -> Double { Double(random.next() >> 11) * 0x1p-53 }
            var circuit = Circuit(policy: CircuitBreakerPolicy())
            var permissions: [Circuit.Permission] = []
            var now = 0.0
            for _ in 0..<200 {
                now += draw() < 0.3 ? draw() * 20 : 0
                if draw() < 0.7 || permissions.isEmpty {
                    switch circuit.enter(at: { at(now) }) {
                    case .permitted(let permission):
                        permissions.append(permission)
                    case .refused(let end):
                        let wait = end.offset.inSeconds - now
                        try require(wait > 0 && wait <= 60)
                        var later = circuit
                        guard case .permitted = later.enter(at: { end }) else {
                            throw Problem(text: "seed \(seed): no probe when promised")
                        }
                    case .isolated:
                        throw Problem(text: "isolated")
                    }
                } else {
                    // Some never report: they stay in the list.
                    let permission = permissions[Int(draw() * Double(permissions.count))]
                    let health: Circuit.Health = [.good, .failed, .failed, .unknown][
                        Int(draw() * 4)
                    ]
                    circuit.leave(permission, health, at: at(now), fraction: draw)
                }
            }
        }
    }
}

extension Circuit {
    /// Breaks without jitter.
    static func steady(_ policy: CircuitBreakerPolicy = CircuitBreakerPolicy()) -> Circuit {
        var policy = policy
        policy.jitter = 0
        return Circuit(policy: policy)
    }

    /// Opened at zero, for five seconds.
    static func opened() -> Circuit {
        var circuit = steady()
        for _ in 0..<20 { circuit.call(.failed, at: at(0)) }
        return circuit
    }

    mutating func enter(at seconds: Double) -> Entry { enter { at(seconds) } }

    mutating func permission(at seconds: Double) throws -> Permission {
        guard case .permitted(let permission) = enter(at: seconds) else {
            throw Problem(text: "refused")
        }
        return permission
    }

    mutating func call(_ health: Health, at now: Runtime.Instant, _ fraction: Double = 0.5) {
        guard case .permitted(let permission) = enter(at: { now }) else { return }
        leave(permission, health, at: now) { fraction }
    }
}

extension Circuit.Health {
    static let failed = Circuit.Health.bad(reason: "503", retryAfter: nil)
}
