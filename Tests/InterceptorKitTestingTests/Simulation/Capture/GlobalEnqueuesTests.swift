import Expectations
import Foundation
import InterceptorKit
import Testing

@testable import InterceptorKitTesting

@Suite struct GlobalEnqueuesTests {
    @Test("concurrent simulations and ordinary tasks do not affect each other")
    func isolation() async throws {
        let alone = try (0..<16).map { try steps(seed: $0) }

        let together = try await withThrowingTaskGroup(of: (UInt64, [String])?.self) { group in
            for seed in UInt64(0)..<16 { group.addTask { (seed, try steps(seed: seed)) } }
            for _ in 0..<200 {
                group.addTask {
                    // Ordinary tasks, enqueued by the thousand while simulations run.
                    for _ in 0..<20 { await Task.detached { await Task.yield() }.value }
                    try require(Simulation.current == nil)
                    return nil
                }
            }
            var found: [UInt64: [String]] = [:]
            for try await case (let seed, let steps)? in group { found[seed] = steps }
            return found
        }

        expectEqual((0..<16).map { together[$0] }, alone)
    }

    @Test("an outside task that the body wakes continues outside the simulation")
    func stranger() async throws {
        let (stream, feed) = AsyncStream.makeStream(of: Int.self)
        let threads = Recorded<Bool>()
        let consumer = Task.detached {
            for await _ in stream { threads.note(SimulationThread.executor == nil) }
        }

        try Simulation.run { simulation in
            for number in 0..<3 {
                feed.yield(number)
                try await simulation.runtime.sleep(for: .seconds(1))
            }
        }
        feed.finish()
        await consumer.value

        expectEqual(threads.values, [true, true, true])
    }

    @Test("a captured task that another thread wakes resumes in its simulation")
    func wokenOutside() throws {
        let caller = currentThread()

        let threads = try Simulation.run { simulation in
            let waiting = Recorded<CheckedContinuation<Void, Never>>()
            let task = Task.detached {
                await withCheckedContinuation { waiting.note($0) }
                return currentThread()
            }
            while waiting.values.isEmpty { await simulation.yield() }
            let thread = Thread { for continuation in waiting.values { continuation.resume() } }
            let before = simulation.executor.readyCount
            thread.start()
            while simulation.executor.readyCount == before { sched_yield() }
            return [await task.value]
        }

        expectEqual(threads, [caller])
    }

    @Test("an outer simulation's task stays in it when an inner one wakes it")
    func nested() throws {
        let owner = try Simulation.run { outer in
            let gate = Gate("outer")
            let task = Task.detached {
                try await gate.pass()
                return SimulationThread.executor === outer.executor
            }
            try await gate.waitForArrivals(1)
            try Simulation.run { inner in
                gate.open()
                for _ in 0..<10 { await inner.yield() }
            }
            return try await task.value
        }

        expectTrue(owner)
    }
}

private func steps(seed: UInt64) throws -> [String] {
    try Simulation.run(seed: seed) { simulation in
        let tasks = (0..<20).map { number in
            Task.detached {
                let pause = simulation.runtime.random() % 3
                try? await simulation.runtime.sleep(for: .seconds(pause))
                await Task { simulation.record("\(number)") }.value
            }
        }
        for task in tasks { await task.value }
        return simulation.steps
    }
}
