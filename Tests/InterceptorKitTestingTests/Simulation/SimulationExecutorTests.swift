import Expectations
import InterceptorKit
import Testing

@testable import InterceptorKitTesting

@Suite("SimulationExecutor")
struct SimulationExecutorTests {
    @Test("child tasks and actors, also with yields, stay on the calling thread")
    func confinement() throws {
        let caller = currentThread()

        let threads = try Simulation.run(seed: 3) { simulation in
            let witness = Witness()
            async let child: Void = witness.note()
            await withDiscardingTaskGroup { group in
                for _ in 0..<10 {
                    group.addTask {
                        await Task.yield()
                        await witness.note()
                        await simulation.yield()
                        await noteConcurrently(in: witness)
                    }
                }
            }
            await child
            await simulation.runtime.start("own task") { await witness.note() }.value
            return await witness.threads
        }

        expectEqual(threads.count, 22)
        expectTrue(threads.allSatisfy { $0 == caller })
    }

    @Test("runs the job at the position asked for, and counts the others")
    func positions() {
        let executor = SimulationExecutor()
        let ran = Recorded<Int>()
        for number in 0..<4 { Task(executorPreference: executor) { ran.note(number) } }

        let ready = executor.readyCount
        executor.run(at: 1)
        executor.run(at: 0)
        let left = executor.readyCount
        while executor.readyCount > 0 { executor.run(at: executor.readyCount - 1) }

        expectEqual(ready, 4)
        expectEqual(left, 2)
        expectEqual(ran.values.prefix(2), [1, 0])
        expectEqual(Set(ran.values), [0, 1, 2, 3])
    }
}
