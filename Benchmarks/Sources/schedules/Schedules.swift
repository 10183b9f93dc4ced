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

    /// How many schedules of how many steps ran in each second, with seeds that never repeat.
    func rate(for duration: Duration) throws -> (schedules: Int, steps: Int) {
        let clock = ContinuousClock()
        let start = clock.now
        var seed: UInt64 = 0
        while clock.now - start < duration {
            try simulate(seeds: seed..<seed + 500, body)
            seed += 500
        }
        let elapsed = (clock.now - start) / .seconds(1)
        let steps = try Simulation.run { simulation in
            try await body(simulation)
            return simulation.steps.count
        }
        return (Int(Double(seed) / elapsed), steps)
    }
}
