import Expectations
import InterceptorKit
import InterceptorKitTesting
import Testing

@Suite struct CapturedTasksTests {
    @Test("plain and detached tasks, children and actors stay on one thread")
    func confinement() throws {
        let caller = currentThread()

        let threads = try Simulation.run(seed: 3) { _ in
            let witness = Witness()
            let plain = Task {
                await withDiscardingTaskGroup { group in
                    for _ in 0..<5 { group.addTask { await witness.note() } }
                }
                async let child: Void = witness.note()
                await child
            }
            let detached = Task.detached {
                await Task.yield()
                await Task { await witness.note() }.value
                await noteConcurrently(in: witness)
            }
            await plain.value
            await detached.value
            return await witness.threads
        }

        expectEqual(threads.count, 8)
        expectTrue(threads.allSatisfy { $0 == caller })
    }

    @Test("streams that plain tasks feed stay in virtual time")
    func streams() throws {
        let trace = try Simulation.run { simulation in
            let (stream, feed) = AsyncStream.makeStream(of: Int.self)
            let producer = Task {
                for number in 1...3 {
                    try await simulation.runtime.sleep(for: .seconds(10))
                    feed.yield(number)
                }
                feed.finish()
            }
            for await number in stream { simulation.record("\(number)") }
            try await producer.value
            return simulation.trace
        }

        expectEqual(trace, ["10 s 1", "20 s 2", "30 s 3"])
    }

    @Test("the seed decides between plain tasks, and equal seeds give equal steps")
    func interleaving() throws {
        let first = try (0..<100).map { try order(seed: $0) }
        let second = try (0..<100).map { try order(seed: $0) }

        expectEqual(first.map(\.steps), second.map(\.steps))
        expectEqual(
            Set(first.map(\.names)),
            [
                ["a", "b", "c"], ["a", "c", "b"], ["b", "a", "c"], ["b", "c", "a"],
                ["c", "a", "b"], ["c", "b", "a"],
            ]
        )
    }

    @Test("a race between plain tasks is found")
    func race() throws {
        let error = #expect(throws: SimulationError.self) {
            try simulateAnySeed(0..<1_000) { _ in
                let balance = Balance()
                let tasks = (0..<2).map { _ in
                    Task.detached {
                        let value = await balance.value
                        await balance.set(value + 1)
                    }
                }
                for task in tasks { await task.value }
                let value = await balance.value
                if value != 2 { throw LostUpdate() }
            }
        }

        expectTrue(error?.cause is LostUpdate)
        expectEqual(error?.seed, 2)
    }

    @Test("a leaked plain task is named and cancelled")
    func leftover() throws {
        let cancelled = Recorded<Bool>()

        let error = #expect(throws: SimulationError.self) {
            try Simulation.run { simulation in
                _ = Task {
                    do { try await simulation.runtime.sleep(for: .seconds(5)) } catch {
                        cancelled.note(true)
                    }
                }
            }
        }

        expectEqual(error?.code, .leftover)
        expectEqual(error?.pending.last, "task 2 (of 1), plain or detached, has not ended")
        expectEqual(cancelled.values, [true])
    }

    @Test("a plain task that has ended is no leak, even if it is still held")
    func ended() throws {
        let task = try Simulation.run { _ in Task { "done" } }

        expectEqual(task.isCancelled, false)
    }

    @Test("a continuation never resumed is reported with its detached task")
    func unresumed() throws {
        let waiting = Recorded<CheckedContinuation<Void, Never>>()

        let error = #expect(throws: SimulationError.self) {
            try Simulation.run { _ in
                await Task.detached {
                    await withCheckedContinuation { waiting.note($0) }
                }.value
            }
        }

        expectEqual(error?.code, .deadlock)
        expectEqual(error?.pending, ["task 2 (of 1), plain or detached, has not ended"])
        for continuation in waiting.values { continuation.resume() }
    }
}

private func order(seed: UInt64) throws -> (names: [String], steps: [String]) {
    try Simulation.run(seed: seed) { simulation in
        let names = Recorded<String>()
        let tasks = ["a", "b", "c"].map { name in Task.detached { names.note(name) } }
        for task in tasks { await task.value }
        return (names.values, simulation.steps)
    }
}

private struct LostUpdate: Error {}

private actor Balance {
    private(set) var value = 0

    func set(_ value: Int) { self.value = value }
}
