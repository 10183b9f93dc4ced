import Expectations
import InterceptorKit
import InterceptorKitSharedState
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("Idempotency and callers that go away")
struct IdempotencyCancellationTests {
    private let replayed = Answer(201, "made", isReplayed: true)

    @Test("finishes a request whose caller has gone, and replays its response")
    func callerLeaves() throws {
        let (answer, runs) = try Simulation.run(seed: 1) { simulation in
            let replicas = Replicas(simulation)
            let caller = Task.child(in: simulation) { try await replicas.order() }
            try await simulation.runtime.sleep(for: .milliseconds(500))

            caller.cancel()
            _ = await caller.result
            return (try await Answer(replicas.order()), replicas.runs)
        }

        expectEqual(answer, replayed)
        expectEqual(runs, 1)
    }

    @Test("cancels a handler that goes on after its grace")
    func graceEnds() throws {
        let (time, answer) = try Simulation.run(seed: 1) { simulation in
            let replicas = Replicas(simulation) { _, call in
                try await call.runtime.sleep(for: .seconds(3600))
                return HTTP.Response()
            }
            let caller = Task.child(in: simulation) { try await replicas.order() }
            try await simulation.runtime.sleep(for: .seconds(1))

            caller.cancel()
            _ = await caller.result
            return (simulation.now.offset, try await Answer(replicas.order()))
        }

        expectEqual(time, .seconds(11))
        expectEqual(answer, Answer(409, "outcome-unknown"))
    }

    @Test("cancels the handler at once without a grace")
    func noGrace() throws {
        let time = try Simulation.run(seed: 1) { simulation in
            var policy = IdempotencyPolicy()
            policy.cancellationGrace = .zero
            let replicas = Replicas(simulation, policy: policy)
            let caller = Task.child(in: simulation) { try await replicas.order() }
            try await simulation.runtime.sleep(for: .milliseconds(500))

            caller.cancel()
            _ = await caller.result
            return simulation.now.offset
        }

        expectEqual(time, .milliseconds(500))
    }

    @Test("frees a key whose caller has gone before the handler ran")
    func callerLeavesEarly() throws {
        let (runs, records) = try Simulation.run(seed: 1) { simulation in
            let replicas = Replicas(
                simulation,
                store: { memory in
                    UnreliableStore(
                        store: memory,
                        after: { operation in
                            guard operation == .claim else { return }
                            try await simulation.runtime.sleep(for: .milliseconds(100))
                        }
                    )
                }
            )
            let caller = Task.child(in: simulation) { try await replicas.order() }
            try await simulation.runtime.sleep(for: .milliseconds(50))

            caller.cancel()
            _ = await caller.result
            return (replicas.runs, replicas.memory.count)
        }

        expectEqual(runs, 0)
        expectEqual(records, 0)
    }

    @Test("stops a duplicate's wait when its caller goes")
    func waiterLeaves() throws {
        let (isCancelled, time) = try Simulation.run(seed: 1) { simulation in
            var policy = IdempotencyPolicy()
            policy.longestWait = .seconds(5)
            let replicas = Replicas(simulation, policy: policy)
            async let first = replicas.order()
            try await simulation.runtime.sleep(for: .milliseconds(100))
            let waiter = Task.child(in: simulation) { try await replicas.order() }
            try await simulation.runtime.sleep(for: .milliseconds(100))

            waiter.cancel()
            let result = await waiter.result
            let time = simulation.now.offset
            _ = try await first
            return (result.isCancelled, time)
        }

        expectTrue(isCancelled)
        expectEqual(time, .milliseconds(200))
    }
}
