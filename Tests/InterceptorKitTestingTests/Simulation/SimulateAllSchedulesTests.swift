import Expectations
import InterceptorKit
import InterceptorKitTesting
import Testing

@Suite struct SimulateAllSchedulesTests {
    @Test("every order of three free steps runs exactly once")
    func permutations() throws {
        let orders = Recorded<[String]>()

        let explored = try exploreAll { _ in orders.note(await orderOfThree()) }

        expectTrue(explored.isComplete)
        expectEqual(explored.schedules, orders.values.count)
        expectEqual(
            Set(orders.values),
            [
                ["a", "b", "c"], ["a", "c", "b"], ["b", "a", "c"], ["b", "c", "a"],
                ["c", "a", "b"], ["c", "b", "a"],
            ]
        )
    }

    @Test("a body without decisions has one schedule")
    func noDecision() throws {
        let explored = try exploreAll { simulation in
            try await simulation.runtime.sleep(for: .seconds(1))
        }

        expectEqual(explored.schedules, 1)
        expectTrue(explored.isComplete)
    }

    @Test("the limit ends the exploration, and the result says so")
    func limit() throws {
        let runs = Recorded<Int>()

        let explored = try exploreAll(limit: 3) { _ in
            runs.note(1)
            _ = await orderOfThree()
        }

        expectEqual(runs.values.count, 3)
        expectEqual(explored.schedules, 3)
        expectTrue(!explored.isComplete)
    }

    @Test("a race is found, and its printed schedule replays it")
    func race() throws {
        let error = #expect(throws: SimulationError.self) { _ = try exploreAll(lostUpdate) }
        let schedule = try unwrap(error?.schedule)

        let replayed = #expect(throws: SimulationError.self) {
            _ = try exploreAll(environment: ["INTERCEPTORKIT_SCHEDULE": schedule], lostUpdate)
        }

        expectEqual(error?.code, .failedSchedule)
        expectTrue(error?.cause is LostUpdate)
        expectEqual(error?.message.contains("INTERCEPTORKIT_SCHEDULE=\(schedule)"), true)
        expectEqual(replayed?.steps, error?.steps)
        expectEqual(error?.steps.isEmpty, false)
    }

    @Test("a deadlock that only some schedules have is found with its schedule")
    func deadlock() throws {
        let error = #expect(throws: SimulationError.self) {
            _ = try exploreAll { _ in
                let gate = Gate("wake-up")
                async let waiter: Void = gate.pass()
                async let waker: Void = gate.release()
                _ = try await (waiter, waker)
            }
        }

        expectEqual(error?.code, .deadlock)
        expectTrue(error?.schedule != nil)
        expectEqual(error?.pending.last?.contains("gate \"wake-up\""), true)
    }

    @Test("two timers at one instant fire in both orders")
    func timers() throws {
        let winners = Recorded<String>()

        let explored = try exploreAll { simulation in
            await withDiscardingTaskGroup { group in
                let first = Recorded<String>()
                for name in ["a", "b"] {
                    group.addTask {
                        try? await simulation.runtime.sleep(for: .seconds(1))
                        first.note(name)
                        if first.values.count == 1 { winners.note(name) }
                    }
                }
            }
        }

        expectTrue(explored.isComplete)
        expectEqual(Set(winners.values), ["a", "b"])
    }

    @Test(
        "an invalid schedule or one of another body is refused",
        arguments: ["0.x", "", "0.-1", "7", "0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.1"]
    )
    func invalid(text: String) throws {
        let error = #expect(throws: SimulationError.self) {
            _ = try exploreAll(environment: ["INTERCEPTORKIT_SCHEDULE": text]) { _ in
                _ = await orderOfThree()
            }
        }

        expectEqual(error?.code, .invalidSchedule)
    }
}

private func orderOfThree() async -> [String] {
    let order = Recorded<String>()
    await withDiscardingTaskGroup { group in
        for name in ["a", "b", "c"] { group.addTask { order.note(name) } }
    }
    return order.values
}

private struct LostUpdate: Error {}

private let lostUpdate: @Sendable (Simulation) async throws -> Void = { _ in
    let balance = Balance()
    await withDiscardingTaskGroup { group in
        for _ in 0..<2 {
            group.addTask {
                let value = await balance.value
                await balance.set(value + 1)
            }
        }
    }
    if await balance.value != 2 { throw LostUpdate() }
}

private actor Balance {
    private(set) var value = 0

    func set(_ value: Int) { self.value = value }
}
