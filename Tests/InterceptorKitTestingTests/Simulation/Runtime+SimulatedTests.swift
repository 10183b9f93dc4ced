import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTesting
import Testing

@Suite("The runtime of a simulation")
struct RuntimeSimulatedTests {
    @Test("the clock starts at zero, the date at 2026, and both advance together")
    func clocks() throws {
        let (first, last, dates) = try Simulation.run { simulation in
            let runtime = simulation.runtime
            let before = (runtime.now, runtime.date)
            try await runtime.sleep(for: .milliseconds(1_500))
            return (before.0, simulation.now, [before.1, runtime.date])
        }

        expectEqual(first.offset, .zero)
        expectEqual(last.offset, .milliseconds(1_500))
        expectEqual(dates[0].ISO8601Format(), "2026-01-01T00:00:00Z")
        expectEqual(dates[1].timeIntervalSince(dates[0]), 1.5)
    }

    @Test("identifiers are distinct, random draws follow from the seed alone")
    func randomSource() throws {
        let draw: @Sendable (Simulation) -> [UInt64] = { simulation in
            (0..<5).map { _ in simulation.runtime.random() }
        }

        let identifiers = try Simulation.run { simulation in
            (0..<1_000).map { _ in simulation.runtime.identifier() }
        }
        let draws = try [1, 1, 2].map { try Simulation.run(seed: $0) { draw($0) } }

        expectEqual(Set(identifiers).count, 1_000)
        expectEqual(draws[0], draws[1])
        expectTrue(draws[0] != draws[2])
    }
}
