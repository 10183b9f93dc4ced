import Expectations
import InterceptorKit
import InterceptorKitTesting
import Testing

@Suite struct SimulationTests {
    @Test("a run returns what its body returns and throws what it throws")
    func result() throws {
        struct Refusal: Error {}

        let value = try Simulation.run { _ in 42 }

        expectEqual(value, 42)
        #expect(throws: Refusal.self) { try Simulation.run { _ in throw Refusal() } }
    }

    @Test("equal seeds give equal traces, different seeds different ones")
    func determinism() throws {
        let first = try (0..<50).map { try interleaving(seed: $0) }
        let second = try (0..<50).map { try interleaving(seed: $0) }

        expectEqual(first, second)
        expectTrue(Set(first).count > 40)
    }

    @Test("a seed's trace is the same in every process")
    func golden() throws {
        let trace = try interleaving(seed: 7)

        expectEqual(trace, goldenTrace)
    }

    @Test("the seed breaks ties of sleepers, also after the first has woken")
    func ties() throws {
        let orders = try (0..<200).map { seed in
            try Simulation.run(seed: seed) { simulation in
                let steps = Recorded<String>()
                await withDiscardingTaskGroup { group in
                    for name in ["a", "b"] {
                        group.addTask {
                            try? await simulation.runtime.sleep(for: .seconds(1))
                            steps.note("\(name)1")
                            await simulation.yield()
                            steps.note("\(name)2")
                        }
                    }
                }
                return steps.values
            }
        }

        expectEqual(
            Set(orders),
            [
                ["a1", "a2", "b1", "b2"], ["a1", "b1", "a2", "b2"], ["a1", "b1", "b2", "a2"],
                ["b1", "b2", "a1", "a2"], ["b1", "a1", "b2", "a2"], ["b1", "a1", "a2", "b2"],
            ]
        )
    }

    @Test("expectations in the body belong to the test that runs it")
    func attribution() throws {
        let name = try Simulation.run { simulation in
            await simulation.runtime.start("own task") {}.value
            return await withTaskGroup(of: String?.self) { group in
                group.addTask { Test.current?.name }
                return await group.next() ?? nil
            }
        }

        expectEqual(name, "attribution()")
        withKnownIssue("planted") {
            try Simulation.run { _ in expectTrue(Bool(false)) }
        }
    }

    @Test("concurrent simulations do not affect each other")
    func isolation() async throws {
        let alone = try (0..<8).map { try interleaving(seed: $0) }

        let together = try await withThrowingTaskGroup(of: (UInt64, [String]).self) { group in
            for seed in UInt64(0)..<8 {
                group.addTask { (seed, try interleaving(seed: seed)) }
            }
            var traces: [UInt64: [String]] = [:]
            for try await (seed, trace) in group { traces[seed] = trace }
            return traces
        }

        expectEqual((0..<8).map { together[$0] }, alone)
    }

    @Test("a simulation can run inside another")
    func nesting() throws {
        let instants = try Simulation.run { outer in
            let inner = try Simulation.run { inner in
                try await inner.runtime.sleep(for: .seconds(5))
                return inner.now
            }
            try await outer.runtime.sleep(for: .seconds(1))
            return [inner.offset, outer.now.offset]
        }

        expectEqual(instants, [.seconds(5), .seconds(1)])
    }
}

private let goldenTrace = ["0 s 3", "0 s 4", "0 s 1", "2 s 0", "2 s 2"]

/// Five tasks that sleep drawn times, tie now and then, and meet in an actor.
private func interleaving(seed: UInt64) throws -> [String] {
    try Simulation.run(seed: seed) { simulation in
        let witness = Witness()
        await withDiscardingTaskGroup { group in
            for number in 0..<5 {
                group.addTask {
                    let pause = simulation.runtime.random() % 3
                    try? await simulation.runtime.sleep(for: .seconds(pause))
                    await witness.note()
                    simulation.record("\(number)")
                }
            }
        }
        return simulation.trace
    }
}
