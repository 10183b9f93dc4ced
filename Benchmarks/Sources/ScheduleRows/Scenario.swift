import InterceptorKitTesting

/// One case and the time it takes.
public struct Scenario: Sendable {
    /// What figures are reported under.
    public let name: String
    let body: @Sendable (Simulation) async throws -> Void

    /// How many schedules of how many steps run in a second, by the fastest of many batches, since
    /// what else the machine does only adds time. No seed repeats.
    public func rate(for duration: Duration) throws -> (schedules: Int, steps: Int) {
        let clock = ContinuousClock()
        let end = clock.now + duration
        let batch: UInt64 = 50
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
