import Expectations
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import TestSupport
import Testing

@testable import InterceptorKitSharedState

@Suite("SharedRateLimitInterceptor")
struct SharedRateLimitInterceptorTests {
    private static let quota = RateLimitQuota(2, per: .seconds(2))
    private static let url: HTTP.URL = "https://api.example.com/orders"

    @Test("counts the calls of all replicas, each for its key")
    func replicas() async throws {
        let outcomes = try await onEverySeed(0..<20) { simulation in
            let store = MemoryRateLimitStore(runtime: simulation.runtime)
            let replicas = try (0..<2).map { _ in try replica(simulation, store) }
            var outcomes: [String] = []
            for (replica, user) in [(0, "a"), (1, "a"), (0, "a"), (1, "a"), (1, "b")] {
                outcomes.append(await result(of: replicas[replica], user))
            }
            return outcomes
        }

        expectEqual(outcomes, ["200", "200", "rate", "rate", "200"])
    }

    @Test("does not limit a call without a key")
    func withoutKey() async throws {
        let outcomes = try await onEverySeed(0..<5) { simulation in
            let store = MemoryRateLimitStore(runtime: simulation.runtime)
            let replica = try replica(simulation, store)
            var outcomes: Set<String> = []
            for _ in 0..<10 { outcomes.insert(await result(of: replica, nil)) }
            return outcomes
        }

        expectEqual(outcomes, ["200"])
    }

    @Test("a rejected call becomes a 429 that says when to come again")
    func tooManyRequests() async throws {
        let answer = try await onEverySeed(0..<5) { simulation in
            let store = MemoryRateLimitStore(runtime: simulation.runtime)
            let replica = try replica(simulation, store)
            for _ in 0..<2 { _ = await result(of: replica, "a") }
            do {
                _ = try await replica.run(.get(Self.url, headers: ["X-User": "a"]))
                return (0, "")
            } catch {
                let answer = try unwrap(HTTP.Response(answering: error))
                return (answer.status.code, answer.headers["Retry-After"] ?? "")
            }
        }

        expectTrue(answer == (429, "1"))
    }

    @Test(
        "takes as many permits as its call says, also while the store is away",
        arguments: [
            (1, nil, "200"), (2, nil, "200"), (3, nil, "Call.permits is 3 and must be at most 2."),
            (2, RateLimitOutagePolicy.local(replicas: 2), "200"),
        ] as [(Int, RateLimitOutagePolicy?, String)]
    )
    func permits(count: Int, outage: RateLimitOutagePolicy?, expected: String) throws {
        let outcomes = try Simulation.run { simulation in
            let store = MemoryRateLimitStore(runtime: simulation.runtime)
            let replica =
                try outage.map { try self.replica(simulation, AbsentStore(), $0) }
                ?? self.replica(simulation, store)
            var call = Call(runtime: simulation.runtime)
            call.permits = count
            let first = await result(of: replica, "a", call)
            return (first, await result(of: replica, "a", call))
        }

        expectTrue(outcomes.0.hasPrefix(expected))
        if count == 2 { expectEqual(outcomes.1, "rate") }
    }

    @Test("waits for its permit within the longest wait, and not beyond")
    func waiting() async throws {
        let (outcomes, time) = try await onEverySeed(0..<20) { simulation in
            let store = MemoryRateLimitStore(runtime: simulation.runtime)
            let replica = try replica(simulation, store, longestWait: .seconds(2))
            let outcomes = await withTaskGroup(of: String.self) { group in
                for _ in 0..<6 { group.addTask { await result(of: replica, "a") } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            return (outcomes.sorted(), simulation.now.offset)
        }

        expectEqual(outcomes, ["200", "200", "200", "200", "rate", "rate"])
        expectEqual(time, .seconds(2))
    }

    @Test("does not wait beyond the call's deadline")
    func deadline() async throws {
        let (outcome, time) = try await onEverySeed(0..<5) { simulation in
            let store = MemoryRateLimitStore(runtime: simulation.runtime)
            let replica = try replica(simulation, store, longestWait: .seconds(2))
            for _ in 0..<2 { _ = await result(of: replica, "a") }
            let call = Call(runtime: simulation.runtime).withDeadline(within: .milliseconds(500))
            let last = await result(of: replica, "a", call)
            return (last, simulation.now.offset)
        }

        expectEqual(outcome, "rate")
        expectEqual(time, .zero)
    }

    @Test(
        "does what its policy says when the store is away, and an event says so",
        arguments: [
            (RateLimitOutagePolicy.closed, 0), (.open, 10), (.local(replicas: 1), 2),
            (.local(replicas: 2), 1),
        ]
    )
    func away(policy: RateLimitOutagePolicy, expected: Int) async throws {
        let (admitted, events) = try await onEverySeed(0..<5) { simulation in
            let sink = RecordingEventSink()
            let replica = try replica(simulation, AbsentStore(), policy, events: sink)
            var admitted = 0
            for _ in 0..<10 where await result(of: replica, "a") == "200" { admitted += 1 }
            let reports = sink.events.filter { $0.name == .storeUnavailable }
            let isComplete = reports.allSatisfy {
                $0.attributes["policy"] == .text("\(policy)")
                    && $0.attributes["store"] == .text("AbsentStore")
                    && $0.attributes["error.type"] != nil
            }
            return (admitted, isComplete ? reports.count : -1)
        }

        expectEqual(admitted, expected)
        expectEqual(events, 10)
    }

    @Test("takes a wait beyond the one it asked for as a fault of the store")
    func farAnswers() throws {
        for delay in [Duration.seconds(5), .seconds(Int64.max)] {
            try Simulation.run { simulation in
                let store = FarStore(delay: delay)
                let closed = try replica(simulation, store, .closed)
                let open = try replica(simulation, store, .open)
                await expectEqual(result(of: closed, "a"), "unavailable")
                await expectEqual(result(of: open, "a"), "200")
                expectEqual(simulation.now.offset, .zero)
            }
        }
    }

    @Test("rejects with a 503 by default when the store is away")
    func closedByDefault() async throws {
        let answer = try await onEverySeed(0..<5) { simulation in
            let replica = try Pipeline(
                transport: ScriptedTransport<HTTP.Request>(replies: [.status(200)]),
                runtime: simulation.runtime
            ) {
                SharedRateLimitInterceptor<HTTP.Request>(AbsentStore(), quota: Self.quota) { _, _ in
                    "a"
                }
            }
            do {
                _ = try await replica.run(.get(Self.url))
                return 200
            } catch {
                return HTTP.Response(answering: error)?.status.code ?? 0
            }
        }

        expectEqual(answer, 503)
    }

    @Test("waits for a store that does not answer no longer than the timeout")
    func silence() async throws {
        let (outcome, time) = try await onEverySeed(0..<20) { simulation in
            let store = SilentStore(runtime: simulation.runtime)
            let replica = try replica(simulation, store, .open)
            let outcome = await result(of: replica, "a")
            return (outcome, simulation.now.offset)
        }

        expectEqual(outcome, "200")
        expectEqual(time, .milliseconds(250))
    }

    @Test("a cancelled call ends at once, whatever the policy")
    func cancellation() async throws {
        let (outcome, time) = try await onEverySeed(0..<20) { simulation in
            let store = SilentStore(runtime: simulation.runtime)
            let replica = try replica(simulation, store, .open)
            let task = Task.child(in: simulation) { await result(of: replica, "a") }
            try await simulation.runtime.sleep(for: .milliseconds(100))
            task.cancel()
            return (try await task.value, simulation.now.offset)
        }

        expectEqual(outcome, "cancelled")
        expectEqual(time, .milliseconds(100))
    }

    @Test("keeps limits with different names apart in one store")
    func names() async throws {
        let outcomes = try await onEverySeed(0..<5) { simulation in
            let store = MemoryRateLimitStore(runtime: simulation.runtime)
            let reads = try replica(simulation, store, name: "reads")
            let writes = try replica(simulation, store, name: "writes")
            var outcomes: [String] = []
            for _ in 0..<3 { outcomes.append(await result(of: reads, "a")) }
            outcomes.append(await result(of: writes, "a"))
            return outcomes
        }

        expectEqual(outcomes, ["200", "200", "rate", "200"])
    }

    @Test("limits a hundred calls a second in one line")
    func inOneLine() async throws {
        let admitted = try await onEverySeed(0..<5) { simulation in
            let store = MemoryRateLimitStore(runtime: simulation.runtime)
            let transport = ScriptedTransport<HTTP.Request>(
                replies: Array(repeating: .status(200), count: 100)
            )
            let pipeline = try Pipeline(transport: transport, runtime: simulation.runtime) {
                SharedRateLimitInterceptor(store, quota: RateLimitQuota(100)) { request, call in
                    request.headers["X-User"]
                }
            }
            var admitted = 0
            for _ in 0..<120 where await result(of: pipeline, "a") == "200" { admitted += 1 }
            return admitted
        }

        expectEqual(admitted, 100)
    }

    @Test("a pipeline refuses settings that cannot work")
    func validation() {
        #expect(throws: (any Error).self) {
            try Pipeline<HTTP.Request>(transport: ScriptedTransport(replies: [])) {
                SharedRateLimitInterceptor(MemoryRateLimitStore(), quota: RateLimitQuota(0)) {
                    _,
                    _ in "a"
                }
            }
        }
    }

    private func replica(
        _ simulation: Simulation,
        _ store: some RateLimitStore,
        _ policy: RateLimitOutagePolicy = .closed,
        name: String = "calls",
        longestWait: Duration = .zero,
        events: (any EventSink)? = nil
    ) throws -> Pipeline<HTTP.Request> {
        let transport = ScriptedTransport<HTTP.Request>(
            replies: Array(repeating: .status(200), count: 20)
        )
        return try Pipeline(transport: transport, runtime: simulation.runtime, events: events) {
            SharedRateLimitInterceptor<HTTP.Request>(
                store,
                name: name,
                quota: Self.quota,
                longestWait: longestWait,
                timeout: .milliseconds(250),
                whenUnavailable: policy
            ) { request, _ in request.headers["X-User"] }
        }
    }

    private func result(
        of pipeline: Pipeline<HTTP.Request>,
        _ user: String?,
        _ call: Call? = nil
    ) async -> String {
        do {
            let request = HTTP.Request.get(Self.url, headers: user.map { ["X-User": $0] } ?? [:])
            let response =
                if let call {
                    try await pipeline.run(request, call: call)
                } else {
                    try await pipeline.run(request)
                }
            return "\(response.status.code)"
        } catch let error as LimitError {
            return "\(error.code)"
        } catch is CancellationError {
            return "cancelled"
        } catch {
            return "\(error)"
        }
    }
}

private struct AbsentStore: RateLimitStore {
    func take(
        _ permits: Int,
        of quota: RateLimitQuota,
        for key: String,
        waitingAtMost wait: Duration
    ) async throws -> RateLimitDecision {
        throw StoreError(.unreachable, "The store is away.")
    }
}

private struct FarStore: RateLimitStore {
    let delay: Duration

    func take(
        _ permits: Int,
        of quota: RateLimitQuota,
        for key: String,
        waitingAtMost wait: Duration
    ) async throws -> RateLimitDecision {
        .admitted(after: delay, remaining: 1)
    }
}

private struct SilentStore: RateLimitStore {
    let runtime: Runtime

    func take(
        _ permits: Int,
        of quota: RateLimitQuota,
        for key: String,
        waitingAtMost wait: Duration
    ) async throws -> RateLimitDecision {
        try await runtime.sleep(for: .seconds(3600))
        return .admitted(after: .zero, remaining: 0)
    }
}
