import Expectations
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitSharedState
import InterceptorKitTesting
import Synchronization
import Testing

@Suite("Idempotency outages")
struct IdempotencyOutageTests {
    private let made = Answer(201, "made")

    @Test("refuses requests while the store is away, within its time, and says so")
    func closed() throws {
        let (answer, retryAfter, time, runs, events) = try Simulation.run(seed: 1) { simulation in
            let replicas = Replicas(
                simulation,
                store: { memory in
                    UnreliableStore(store: memory, before: { _ in throw UnreliableStore.Outage() })
                }
            )
            let response = try await replicas.order()
            let retryAfter = response.headers["Retry-After"]
            return (
                try await Answer(response), retryAfter, simulation.now.offset, replicas.runs,
                replicas.events.events
            )
        }

        expectEqual(answer, Answer(503, "store-unavailable"))
        expectEqual(retryAfter, "5")
        expectTrue(time <= .seconds(1))
        expectEqual(runs, 0)
        let outage = events.first { $0.name == .storeUnavailable }
        expectEqual(outage?.attributes["policy"], .text("closed"))
        expectEqual(outage?.attributes["store"], .text("UnreliableStore"))
        expectEqual(outage?.attributes["error.type"], .text("Outage"))
    }

    @Test("waits no longer than the store's time for a store that hangs")
    func hanging() throws {
        let (answer, time) = try Simulation.run(seed: 1) { simulation in
            let replicas = Replicas(
                simulation,
                store: { memory in
                    UnreliableStore(
                        store: memory,
                        before: { _ in try await simulation.runtime.sleep(for: .seconds(3600)) }
                    )
                }
            )
            return (try await Answer(replicas.order()), simulation.now.offset)
        }

        expectEqual(answer, Answer(503, "store-unavailable"))
        expectEqual(time, .seconds(1))
    }

    @Test("runs requests while the store is away if that is the policy")
    func open() throws {
        let (answers, runs) = try Simulation.run(seed: 1) { simulation in
            var policy = IdempotencyPolicy()
            policy.whenUnavailable = .open
            let replicas = Replicas(
                simulation,
                policy: policy,
                store: { memory in
                    UnreliableStore(store: memory, before: { _ in throw UnreliableStore.Outage() })
                }
            )
            let answers = [
                try await Answer(replicas.order()), try await Answer(replicas.order()),
            ]
            return (answers, replicas.runs)
        }

        expectEqual(answers, [made, made])
        expectEqual(runs, 2)
    }

    @Test("asks again after a short outage", arguments: [true, false])
    func blip(isBefore: Bool) throws {
        let (answers, runs) = try Simulation.run(seed: 1) { simulation in
            let failures = Countdown(2)
            let fail: @Sendable (UnreliableStore.Operation) async throws -> Void = { operation in
                if operation == .claim, failures.next() { throw UnreliableStore.Outage() }
            }
            let replicas = Replicas(
                simulation,
                store: { memory in
                    // Where it fails afterwards, the claim was granted already.
                    isBefore
                        ? UnreliableStore(store: memory, before: fail)
                        : UnreliableStore(store: memory, after: fail)
                }
            )
            return (
                [try await Answer(replicas.order()), try await Answer(replicas.order())],
                replicas.runs
            )
        }

        expectEqual(answers, [made, Answer(201, "made", isReplayed: true)])
        expectEqual(runs, 1)
    }

    @Test("records a response again after the connection broke")
    func completedTwice() throws {
        let answers = try Simulation.run(seed: 1) { simulation in
            let failures = Countdown(1)
            let replicas = Replicas(
                simulation,
                store: { memory in
                    UnreliableStore(
                        store: memory,
                        after: { operation in
                            if operation == .complete, failures.next() {
                                throw UnreliableStore.Outage()
                            }
                        }
                    )
                }
            )
            return [try await Answer(replicas.order()), try await Answer(replicas.order())]
        }

        expectEqual(answers, [made, Answer(201, "made", isReplayed: true)])
    }

    @Test("returns a response that cannot be recorded")
    func unrecorded() throws {
        let (answers, names) = try Simulation.run(seed: 1) { simulation in
            let replicas = Replicas(
                simulation,
                store: { memory in
                    UnreliableStore(
                        store: memory,
                        before: { operation in
                            if operation != .claim { throw UnreliableStore.Outage() }
                        }
                    )
                }
            )
            let first = try await Answer(replicas.order())
            let second = try await Answer(replicas.order())
            try await simulation.runtime.sleep(for: .seconds(15))
            return (
                [first, second, try await Answer(replicas.order())], replicas.events.names
            )
        }

        expectEqual(answers, [made, Answer(409, "in-progress"), Answer(409, "outcome-unknown")])
        expectTrue(names.contains(.storeUnavailable))
    }

    @Test("records nothing after it lost its lease")
    func lostLease() throws {
        let (first, second, names) = try Simulation.run(seed: 1) { simulation in
            let replicas = Replicas(
                simulation,
                handler: { _, call in
                    try await call.runtime.sleep(for: .seconds(20))
                    return HTTP.Response(201, body: .text("made"))
                },
                store: { memory in
                    UnreliableStore(
                        store: memory,
                        before: { operation in
                            if operation == .extend { throw UnreliableStore.Outage() }
                        }
                    )
                }
            )
            let first = try await Answer(replicas.order())
            return (first, try await Answer(replicas.order()), replicas.events.names)
        }

        expectEqual(first, made)
        expectEqual(second, Answer(409, "outcome-unknown"))
        expectTrue(names.contains(.idempotencyLeaseLost))
    }

    @Test("keeps its lease when one extension fails or hangs", arguments: [false, true])
    func failedExtension(hangs: Bool) throws {
        let answers = try Simulation.run(seed: 1) { simulation in
            let failures = Countdown(1)
            var policy = IdempotencyPolicy()
            // As long as it may be here: a third of the lease.
            policy.storeTimeout = .seconds(5)
            let replicas = Replicas(
                simulation,
                policy: policy,
                handler: { _, call in
                    try await call.runtime.sleep(for: .seconds(40))
                    return HTTP.Response(201, body: .text("made"))
                },
                store: { memory in
                    UnreliableStore(
                        store: memory,
                        before: { operation in
                            guard operation == .extend, failures.next() else { return }
                            if hangs { try await simulation.runtime.sleep(for: .seconds(3600)) }
                            throw UnreliableStore.Outage()
                        }
                    )
                }
            )
            return [try await Answer(replicas.order()), try await Answer(replicas.order())]
        }

        expectEqual(answers, [made, Answer(201, "made", isReplayed: true)])
    }
}

/// Says yes so many times.
final class Countdown: Sendable {
    private let left: Lock<Int>

    init(_ count: Int) { left = Lock(count) }

    func next() -> Bool {
        left.withLock { left in
            guard left > 0 else { return false }
            left -= 1
            return true
        }
    }
}
