import InterceptorKit
import InterceptorKitTesting

/// Measures how many schedules a second are simulated: `schedules [seconds]`.
@main
struct Schedules {
    static func main() throws {
        let seconds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 5
        for scenario in [Scenario.sharedRefresh, .tokenInterceptor] {
            let rate = try scenario.rate(for: .seconds(seconds))
            print("\(scenario.name): \(rate.steps) steps, schedules per second: \(rate.schedules)")
        }
    }
}

/// One case and the time it takes.
struct Scenario {
    let name: String
    let body: @Sendable (Simulation) async throws -> Void

    /// How many schedules of how many steps run in a second, by the fastest of many batches, since
    /// what else the machine does only adds time. No seed repeats.
    func rate(for duration: Duration) throws -> (schedules: Int, steps: Int) {
        let clock = ContinuousClock()
        let end = clock.now + duration
        let batch: UInt64 = 250
        var shortest = Duration.seconds(1_000_000)
        var seed: UInt64 = 0
        while clock.now < end {
            let time = try clock.measure { try simulate(seeds: seed..<seed + batch, body) }
            shortest = min(shortest, time)
            seed += batch
        }
        let steps = try Simulation.run { simulation in
            try await body(simulation)
            return simulation.steps.count
        }
        return (Int(Double(batch) / (shortest / .seconds(1))), steps)
    }
}
