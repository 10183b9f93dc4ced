import Expectations
import Testing

@testable import InterceptorKitTesting

@Suite("ConcurrencyRuntime")
struct ConcurrencyRuntimeTests {
    /// Starts a task that prefers an executor on which nothing runs by itself.
    private func task(on executor: SimulationExecutor) -> (Task<UInt64, Never>, UnownedJob) {
        let task = Task.detached(executorPreference: executor) {
            ConcurrencyRuntime.currentNumber
        }
        // Safety: both types are one reference to the task, which the caller holds.
        return (task, unsafe unsafeBitCast(task, to: UnownedJob.self))
    }

    @Test("tells a task that can go on from one that has ended")
    func ended() {
        let executor = SimulationExecutor()
        let (task, job) = task(on: executor)
        let (other, otherJob) = self.task(on: executor)

        let before = ConcurrencyRuntime.hasEnded(job)
        executor.run(at: 1)
        let after = ConcurrencyRuntime.hasEnded(otherJob)
        executor.run(at: 0)

        expectEqual(before, false)
        expectEqual(after, true)
        withExtendedLifetime((task, other)) {}
    }

    @Test("gives a task that runs its job's number, which no other has")
    func numbers() async {
        let executor = SimulationExecutor()
        let tasks = (0..<3).map { _ in task(on: executor) }

        let numbers = tasks.map { ConcurrencyRuntime.number(of: $0.1) }
        while executor.readyCount > 0 { executor.run(at: 0) }
        var own: [UInt64] = []
        for (task, _) in tasks { own.append(await task.value) }

        expectEqual(own, numbers)
        expectEqual(Set(numbers).count, 3)
        expectTrue(!numbers.contains(0))
        expectTrue(tasks.allSatisfy { ConcurrencyRuntime.isUnstructured($0.1) })
    }
}
