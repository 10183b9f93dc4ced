import Expectations
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import Testing

@testable import InterceptorKit

@Suite("RefreshWaiters")
struct RefreshWaitersTests {
    private final class List: Sendable {
        let waiters = Lock(RefreshWaiters())
    }

    /// Lets calls wait for operations, one after the other, and says whom a look takes and whom it leaves.
    private func taken(
        waitingFor jobs: [Int],
        _ look: @escaping @Sendable (inout RefreshWaiters) -> [RefreshWaiter]
    ) throws -> (taken: [Int], left: [Int]) {
        try Simulation.run { simulation in
            let list = List()
            let runtime = simulation.runtime
            return try await withThrowingTaskGroup { group in
                for (index, operation) in jobs.enumerated() {
                    group.addTask {
                        try await runtime.sleep(for: .seconds(index))
                        let cached = try await withCheckedThrowingContinuation { continuation in
                            var waiter = RefreshWaiter(continuation)
                            waiter.operation = operation
                            list.waiters.withLock { [waiter] waiters in
                                let id = waiters.nextID()
                                waiters[id] = waiter
                            }
                        }
                        expectEqual(cached.version, operation)
                    }
                }
                try await runtime.sleep(for: .seconds(jobs.count))
                let taken = list.waiters.withLock { look(&$0) }
                let left = list.waiters.withLock { $0.takeAll() }
                for waiter in taken + left {
                    waiter.resume(with: .success(CredentialState.Cached(version: waiter.operation)))
                }
                try await group.waitForAll()
                return (taken.map(\.operation), left.map(\.operation))
            }
        }
    }

    @Test("give up tasks that wait for an operation or an earlier one, in order")
    func upTo() throws {
        let (taken, left) = try self.taken(waitingFor: [3, 1, 4, 2]) { $0.take(upTo: 3) }

        expectEqual(taken, [3, 1, 2])
        expectEqual(left, [4])
    }

    @Test("give up nobody who waits for a later operation")
    func later() throws {
        let (taken, left) = try self.taken(waitingFor: [2, 3]) { $0.take(upTo: 1) }

        expectEqual(taken, [])
        expectEqual(left, [2, 3])
    }

    @Test("give up each caller once, in the order they came")
    func everybody() throws {
        let jobs = [9, 8, 7, 6, 5, 4, 3, 2, 1]

        let (taken, left) = try self.taken(waitingFor: jobs) { $0.takeAll() }

        expectEqual(taken, jobs)
        expectEqual(left, [])
    }
}
