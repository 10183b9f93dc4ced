import Expectations
import InterceptorKit
import InterceptorKitTesting
import Testing

@Suite struct ScheduleTraceTests {
    @Test("lists which task ran when, by name and number, and what it recorded")
    func lines() throws {
        let steps = try Simulation.run(seed: 1) { simulation in
            let refresh = simulation.runtime.start("refresh") {
                try? await simulation.runtime.sleep(for: .seconds(2))
                simulation.record("refreshed")
            }
            await refresh.value
            await withTaskGroup(of: Void.self) { $0.addTask {} }
            return simulation.steps
        }

        expectEqual(
            steps,
            [
                "0 s task 1 \"body\"", "0 s task 2 \"refresh\"", "2 s wakes task 2 \"refresh\"",
                "2 s task 2 \"refresh\"", "2 s - refreshed", "2 s task 1 \"body\"",
                "2 s task 3 (of 1)", "2 s task 1 \"body\"",
            ]
        )
    }

    @Test("names the task that started an unnamed, unstructured task")
    func unnamed() throws {
        let steps = try Simulation.run(seed: 1) { simulation in
            await Task {}.value
            return simulation.steps
        }

        // How often is the compiler's choice: a closure that is instrumented goes to its executor again.
        expectEqual(Set(steps.dropFirst().dropLast()), ["0 s task 2 (of 1)"])
        expectEqual([steps.first, steps.last], ["0 s task 1 \"body\"", "0 s task 1 \"body\""])
    }

    @Test("an error keeps all steps and shows the last 40 of them")
    func failure() throws {
        let error = #expect(throws: SimulationError.self) {
            try Simulation.run { simulation in
                for number in 0..<60 { simulation.record("\(number)") }
                try await Gate("never").pass()
            }
        }

        let text = try unwrap(error.map { "\($0)" })
        expectEqual(error?.steps.count, 61)
        expectTrue(text.contains("Steps, the last 40 of 61:\n  0 s - 20\n"))
    }

    #if os(Linux) || os(macOS)
    @Test("equal seeds give equal steps in every process")
    func processes() async throws {
        let first = try await #require(
            processExitsWith: .success,
            observing: [\.standardOutputContent]
        ) { try printSteps() }
        let second = try await #require(
            processExitsWith: .success,
            observing: [\.standardOutputContent]
        ) { try printSteps() }

        let output = String(decoding: first.standardOutputContent, as: UTF8.self)
        expectTrue(output.split(separator: "\n").count > 500)
        expectEqual(output, String(decoding: second.standardOutputContent, as: UTF8.self))
    }
    #endif
}

/// Prints the steps of twenty seeds and something that a process's hash seed decides, which must not
/// show in them.
private func printSteps() throws {
    for seed in 0..<20 {
        let steps = try Simulation.run(seed: UInt64(seed)) { simulation in
            let gate = Gate("orders")
            let names = Set((0..<6).map { "caller \($0)" }).sorted()
            let tasks = names.map { name in
                Task.detached {
                    let pause = simulation.runtime.random() % 3
                    try await simulation.runtime.sleep(for: .seconds(pause))
                    try await gate.pass()
                    simulation.record(name)
                }
            }
            try await gate.waitForArrivals(6)
            gate.open()
            for task in tasks { try await task.value }
            return simulation.steps
        }
        for step in steps { print(step) }
    }
}
