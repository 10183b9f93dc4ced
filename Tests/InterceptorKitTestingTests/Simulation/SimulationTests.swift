import InterceptorKit
import InterceptorKitTesting
import Testing

@Suite struct SimulationTests {
    @Test("a virtual sleep takes no real time and sleepers wake in order") func sleep() throws {
        let clock = ContinuousClock()
        let start = clock.now

        let (order, end) = try Simulation.run { simulation in
            await withDiscardingTaskGroup { group in
                for seconds in [3, 1, 2] {
                    group.addTask {
                        try? await simulation.runtime.sleep(for: .seconds(seconds * 1_000))
                        simulation.record("\(seconds)")
                    }
                }
            }
            return (simulation.trace, simulation.now)
        }

        #expect(order == ["1000 s 1", "2000 s 2", "3000 s 3"])
        #expect(end.offset == .seconds(3_000))
        #expect(start.duration(to: clock.now) < .seconds(60))
    }

    @Test("a yield, an actor, a group and an async let stay on the simulation's thread")
    func confinement() throws {
        let counter = Counter()
        let total = try Simulation.run(seed: 3) { simulation in
            await Task.yield()
            await simulation.yield()
            async let first = counter.add(1)
            async let second = counter.add(2)
            _ = await (first, second)
            await withTaskGroup(of: Int.self) { group in
                for _ in 0..<10 { group.addTask { await counter.add(1) } }
            }
            return await counter.count
        }
        #expect(total == 13)
    }
}

actor Counter {
    var count = 0
    func add(_ n: Int) -> Int { count += n; return count }
    func set(_ n: Int) { count = n }
}
