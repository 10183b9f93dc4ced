import Expectations
import InterceptorKit
import InterceptorKitTesting
import Testing

@Suite struct SimulateTests {
    @Test("a check-then-act across an await is found, and its seed replays it")
    func plantedRace() throws {
        let error = #expect(throws: SimulationError.self) {
            try simulateAnySeed(0..<1_000, lostUpdate)
        }

        let seed = try unwrap(error?.seed)
        expectEqual(error?.code, .failedSeed)
        expectEqual(seed, 0)
        expectTrue(error?.cause is LostUpdate)
        expectEqual(error?.message.contains("INTERCEPTORKIT_SEED=\(seed)"), true)
        #expect(throws: LostUpdate.self) { try Simulation.run(seed: seed, lostUpdate) }
    }

    @Test("every seed of the range runs once, in order")
    func range() throws {
        let seeds = Recorded<UInt64>()

        try simulateAnySeed(5..<8) { simulation in seeds.note(simulation.seed) }

        expectEqual(seeds.values, [5, 6, 7])
    }

    @Test("a seed in the environment runs alone, also from outside the range")
    func environment() throws {
        let seeds = Recorded<UInt64>()

        try simulate(
            seeds: 0..<1_000,
            stepLimit: Simulation.defaultStepLimit,
            environment: ["INTERCEPTORKIT_SEED": "\(UInt64.max)"]
        ) { simulation in seeds.note(simulation.seed) }

        expectEqual(seeds.values, [.max])
    }

    @Test("a seed that is not a number and an empty range are refused")
    func invalidSeeds() {
        let notANumber = #expect(throws: SettingError.self) {
            try simulate(
                seeds: 0..<1,
                stepLimit: Simulation.defaultStepLimit,
                environment: ["INTERCEPTORKIT_SEED": "seven"]
            ) { _ in }
        }
        let none = #expect(throws: SettingError.self) {
            try simulate(
                seeds: 3..<3,
                stepLimit: Simulation.defaultStepLimit,
                environment: [:]
            ) { _ in }
        }

        expectEqual(notANumber?.value, "\"seven\"")
        expectEqual(none?.setting, "simulate.seeds")
    }
}

private struct LostUpdate: Error {}

private let lostUpdate: @Sendable (Simulation) async throws -> Void = { _ in
    let account = Account()
    await withDiscardingTaskGroup { group in
        for _ in 0..<2 {
            group.addTask {
                let balance = await account.balance
                await account.set(balance + 1)
            }
        }
    }
    if await account.balance != 2 { throw LostUpdate() }
}

private actor Account {
    private(set) var balance = 0

    func set(_ balance: Int) { self.balance = balance }

    func increment() { balance += 1 }
}
