import Expectations
import InterceptorKit
import InterceptorKitTesting
import Testing

@Suite struct SimulatedSleepTests {
    @Test("a cancelled sleeper throws at the instant of the cancellation")
    func cancellation() throws {
        let outcome = try Simulation.run { simulation in
            let sleeper = Sleeper(in: simulation, for: .seconds(60))
            try await simulation.runtime.sleep(for: .seconds(2))
            sleeper.task.cancel()
            await sleeper.task.value
            return sleeper.outcome
        }

        expectEqual(outcome, "cancelled at 2 s")
    }

    @Test("a wake-up and a cancellation at one instant race, by the seed")
    func tie() throws {
        let outcomes = try (0..<200).map { seed in
            try Simulation.run(seed: seed) { simulation in
                let sleeper = Sleeper(in: simulation, for: .seconds(1))
                try await simulation.runtime.sleep(for: .seconds(1))
                sleeper.task.cancel()
                await sleeper.task.value
                return sleeper.outcome
            }
        }

        expectEqual(Set(outcomes), ["woke at 1 s", "cancelled at 1 s"])
    }

    @Test("a task cancelled before it sleeps never does")
    func cancelledBefore() throws {
        let outcome = try Simulation.run { simulation in
            let sleeper = Sleeper(in: simulation, for: .seconds(1))
            sleeper.task.cancel()
            await sleeper.task.value
            return sleeper.outcome
        }

        expectEqual(outcome, "cancelled at 0 s")
    }

    @Test("a sleep until the past or for no time returns at once")
    func past() throws {
        let end = try Simulation.run { simulation in
            try await simulation.runtime.sleep(for: .seconds(3))
            try await simulation.runtime.sleep(until: Runtime.Instant(offset: .seconds(1)))
            try await simulation.runtime.sleep(for: .seconds(-1))
            return simulation.now
        }

        expectEqual(end.offset, .seconds(3))
    }
}

private struct Sleeper: Sendable {
    let task: Task<Void, Never>
    private let outcomes: Recorded<String>

    var outcome: String? { outcomes.values.first }

    init(in simulation: Simulation, for duration: Duration) {
        let outcomes = Recorded<String>()
        self.outcomes = outcomes
        task = simulation.runtime.start("sleeper") {
            let word: String
            do {
                try await simulation.runtime.sleep(for: duration)
                word = "woke"
            } catch is CancellationError {
                word = "cancelled"
            } catch {
                word = "failed"
            }
            outcomes.note("\(word) at \(simulation.now.offset.components.seconds) s")
        }
    }
}
