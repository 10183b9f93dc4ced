import Expectations
import InterceptorKit
import TestSupport
import Testing

@testable import InterceptorKitCore

@Suite("Circuit's isolation")
struct CircuitIsolationTests {
    @Test("rejects everything while isolated, until reset, despite successes")
    func isolated() throws {
        var circuit = Circuit.opened()
        let probe = try circuit.permission(at: 5)

        circuit.isolate(at: at(5))
        circuit.leave(probe, .good, at: at(6)) { 0.5 }

        expectEqual(circuit.enter(at: 1000), .isolated(until: nil))
        circuit.reset()
        expectEqual(circuit.state, .closed)
        _ = try circuit.permission(at: 1000)
    }

    /// The cases of resilience4j's `transitionToOpenStateFor` and of Polly's half-open circuit.
    @Test(
        "lets probes decide after an isolation that ends by itself",
        arguments: [
            (Circuit.Health.good, Circuit.Phase.closed), (.failed, .open(until: at(17))),
            (.unknown, .halfOpen(lease: nil, successes: 0)),
        ]
    )
    func isolatedForATime(health: Circuit.Health, phase: Circuit.Phase) throws {
        var circuit = Circuit.steady()

        circuit.isolate(for: .seconds(10), at: at(1))

        expectEqual(circuit.enter(at: 10.9), .isolated(until: at(11)))
        expectEqual(circuit.status(at: at(2)).retryAfter, .seconds(9))
        expectEqual(circuit.breakLength, .seconds(10))
        expectEqual([10.9, 11].map { circuit.status(at: at($0)).state }, [.isolated, .halfOpen])
        let probe = try circuit.permission(at: 11)
        expectEqual(circuit.enter(at: 11), .refused(until: at(16)))
        circuit.leave(probe, health, at: at(12)) { 0.5 }
        if health == .good { circuit.call(.good, at: at(12)) }
        expectEqual(circuit.phase, phase)
    }

    /// What each state does with outcomes by hand and by itself, as in Polly's `CircuitStateControllerTests`.
    @Test("is isolated and reset from every state")
    func byHand() {
        var halfOpen = Circuit.opened()
        _ = halfOpen.enter(at: 5)
        for var circuit in [.steady(), .opened(), halfOpen] {
            circuit.isolate(at: at(6))
            expectEqual(circuit.state, .isolated)
            for health in [Circuit.Health.good, .failed] { circuit.call(health, at: at(7)) }
            expectEqual(circuit.state, .isolated)
            expectEqual(circuit.breakLength, nil)
            circuit.reset()
            circuit.reset()
            expectEqual(circuit.state, .closed)
            circuit.call(.failed, at: at(8))
            expectEqual(circuit.state, .closed)
        }
    }
}
