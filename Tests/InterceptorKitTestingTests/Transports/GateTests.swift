import Expectations
import InterceptorKit
import InterceptorKitTesting
import Testing

@Suite struct GateTests {
    @Test("holds every task until it opens, then lets all pass")
    func open() throws {
        let (before, after, held) = try Simulation.run { _ in
            let gate = Gate()
            let passed = Recorded<Int>()
            return try await withThrowingDiscardingTaskGroup { group in
                for number in 0..<3 {
                    group.addTask {
                        try await gate.pass()
                        passed.note(number)
                    }
                }
                try await gate.waitForArrivals(3)
                let before = passed.values.count
                gate.open()
                try await gate.pass()
                await drain(until: { passed.values.count == 3 })
                return (before, passed.values.sorted(), gate.held)
            }
        }

        expectEqual(before, 0)
        expectEqual(after, [0, 1, 2])
        expectEqual(held, 0)
    }

    @Test("releases the first task to arrive and holds the others")
    func release() throws {
        let (passed, held) = try Simulation.run { simulation in
            let gate = Gate()
            let passed = Recorded<Int>()
            let tasks = try await arrivals(3, at: gate, in: simulation, passed)
            gate.release()
            await tasks[0].value
            let result = (passed.values, gate.held)
            gate.open()
            for task in tasks { await task.value }
            return result
        }

        expectEqual(passed, [0])
        expectEqual(held, 2)
    }

    @Test("throws to held and later tasks once failed, until it is closed again")
    func fail() throws {
        struct Refusal: Error {}

        let (errors, held) = try Simulation.run { simulation in
            let gate = Gate()
            let errors = Recorded<any Error>()
            let pass: @Sendable () async -> Void = {
                do { try await gate.pass() } catch { errors.note(error) }
            }
            let first = simulation.runtime.start("first", pass)
            try await gate.waitForArrivals(1)
            gate.fail(Refusal())
            await first.value
            await pass()
            gate.close()
            let last = simulation.runtime.start("last", pass)
            try await gate.waitForArrivals(1)
            let held = gate.held
            gate.open()
            await last.value
            return (errors.values, held)
        }

        expectEqual(errors.count, 2)
        expectTrue(errors.allSatisfy { $0 is Refusal })
        expectEqual(held, 1)
    }

    @Test("a cancelled task throws at once, and the others stay held")
    func cancellation() throws {
        try simulate(seeds: 0..<200) { simulation in
            let gate = Gate()
            let passed = Recorded<Int>()
            let tasks = try await arrivals(2, at: gate, in: simulation, passed)
            tasks[0].cancel()
            await tasks[0].value
            let held = gate.held
            gate.open()
            await tasks[1].value

            try requireEqual(held, 1)
            try requireEqual(passed.values, [1])
            try requireEqual(simulation.now.offset, .zero)
        }
    }

    @Test("a task cancelled while the gate opens resumes exactly once")
    func cancellationMeetsOpening() throws {
        let outcomes = Recorded<Bool>()

        try simulateAnySeed(0..<500) { simulation in
            let gate = Gate()
            let passer = simulation.runtime.start("passer") {
                do {
                    try await gate.pass()
                    outcomes.note(true)
                } catch {
                    outcomes.note(false)
                }
            }
            await withDiscardingTaskGroup { group in
                group.addTask { gate.open() }
                group.addTask { passer.cancel() }
            }
            await passer.value
            try requireEqual(gate.held, 0)
        }

        expectEqual(outcomes.values.count, 500)
        expectEqual(Set(outcomes.values), [true, false])
    }

    @Test("a cancelled wait for arrivals throws at once")
    func cancelledWatcher() throws {
        let (error, instant) = try Simulation.run { simulation in
            let gate = Gate()
            let errors = Recorded<any Error>()
            let watcher = simulation.runtime.start("watcher") {
                do { try await gate.waitForArrivals(2) } catch { errors.note(error) }
            }
            try await simulation.runtime.sleep(for: .seconds(1))
            watcher.cancel()
            await watcher.value
            return (errors.values.first, simulation.now)
        }

        expectTrue(error is CancellationError)
        expectEqual(instant.offset, .seconds(1))
    }
}

/// Starts passers that arrive one after the other, each noting its number when it has passed.
private func arrivals(
    _ count: Int,
    at gate: Gate,
    in simulation: Simulation,
    _ passed: Recorded<Int>
) async throws -> [Task<Void, Never>] {
    var tasks: [Task<Void, Never>] = []
    for number in 0..<count {
        let task = simulation.runtime.start("passer \(number)") {
            do {
                try await gate.pass()
                passed.note(number)
            } catch {}
        }
        tasks.append(task)
        try await gate.waitForArrivals(number + 1)
    }
    return tasks
}

private func drain(until condition: @Sendable () -> Bool) async {
    while !condition() { await Task.yield() }
}
