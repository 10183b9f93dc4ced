import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitSharedState
import InterceptorKitTesting
import Synchronization

/// A fleet of replicas whose clients repeat their orders, while replicas die, stand still and lose the store.
struct IdempotentFleet: Sendable {
    /// What happened, over any number of runs.
    struct Tally: Equatable, Sendable {
        var requests = 0
        var kills = 0
        var recordedTwice = 0
        var effectsTwice = 0
        var stuck = 0
        /// Orders whose clients were given two different responses.
        var contradictions = 0
        /// Orders that ended with a response.
        var answered = 0

        static func += (left: inout Tally, right: Tally) {
            left.requests += right.requests
            left.kills += right.kills
            left.recordedTwice += right.recordedTwice
            left.effectsTwice += right.effectsTwice
            left.stuck += right.stuck
            left.contradictions += right.contradictions
            left.answered += right.answered
        }
    }

    private static let lease = Duration.seconds(3)

    private let simulation: Simulation
    private let store: SharedStore
    private let database: Database
    private let policy: IdempotencyPolicy
    private let replicas: [Lock<Replica>.Box]
    private let tally = Counter()

    private final class Counter: Sendable {
        let value = Lock(Tally())
    }

    private var runtime: Runtime { simulation.runtime }

    init(_ simulation: Simulation, runsAgain: Bool, checksTokens: Bool = true) {
        self.simulation = simulation
        let start = simulation.now
        let outages = (0..<2).map { _ in
            let from = start.advanced(by: .seconds(20) * simulation.runtime.randomFraction())
            return from..<from.advanced(by: .seconds(4) * simulation.runtime.randomFraction())
        }
        store = SharedStore(simulation.runtime, outages: outages)
        database = Database(checksTokens: checksTokens)
        var policy = IdempotencyPolicy()
        policy.lease = Self.lease
        policy.runsAgain = runsAgain
        policy.storeTimeout = .milliseconds(500)
        policy.longestWait = .seconds(1)
        policy.cancellationGrace = .seconds(1)
        self.policy = policy
        replicas = (0..<3).map { [store] _ in .init(Replica(store)) }
    }

    /// Runs clients and misfortunes until the clients have given up, and looks at what is left.
    func run() async throws -> Tally {
        try await withThrowingTaskGroup { group in
            for number in 0..<3 { group.addTask { try await runClient(of: "order-\(number)") } }
            group.addTask { try await misfortunes() }
            try await group.waitForAll()
        }
        // Whatever held a key has ended, so no key is in progress after one more lease.
        try await runtime.sleep(for: Self.lease)
        var tally = tally.value.withLock(\.self)
        for number in 0..<3 where try await isInProgress("order-\(number)") { tally.stuck += 1 }
        tally.stuck += store.stuck
        tally.recordedTwice = store.repeatedRecords
        tally.effectsTwice = database.repeatedEffects
        return tally
    }

    private func isInProgress(_ key: String) async throws -> Bool {
        let claim = try await store.memory.claim(
            IdempotencyRecordKey(principal: "alice", route: "POST /orders", key: key),
            holder: "inspector",
            fingerprint: Replicas.fingerprint,
            terms: IdempotencyTerms(lease: .seconds(1), lifetime: .seconds(1))
        )
        if case .inProgress = claim { return true }
        return false
    }

    private func misfortunes() async throws {
        for _ in 0..<6 {
            try await runtime.sleep(for: .seconds(4) * runtime.randomFraction())
            let box = replicas[Int(runtime.random() % 3)]
            if runtime.randomFraction() < 0.6 {
                box.value.withLock { replica in
                    replica.kill()
                    // Its supervisor starts another.
                    replica = Replica(store)
                }
                tally.value.withLock { $0.kills += 1 }
            } else {
                let pause = Duration.seconds(8) * runtime.randomFraction()
                box.value.withLock { $0.pause(for: pause) }
            }
        }
    }

    /// A client that repeats its order although earlier requests may be under way, and does not wait for some of
    /// them.
    private func runClient(of key: String) async throws {
        let contents = await withTaskGroup(of: Answer?.self) { group in
            for _ in 0..<8 {
                let delay = Duration.seconds(25) * runtime.randomFraction()
                let isPatient = runtime.randomFraction() < 0.75
                group.addTask {
                    try? await runtime.sleep(for: delay)
                    return isPatient ? await send(key) : await sendImpatiently(key)
                }
            }
            var contents: Set<String> = []
            for await case let answer? in group where answer.status == 201 {
                contents.insert(answer.content)
            }
            return contents
        }
        let count = contents.count
        tally.value.withLock { tally in
            if count > 0 { tally.answered += 1 }
            if count > 1 { tally.contradictions += 1 }
        }
    }

    /// Sends an order, and goes away if there is no response soon.
    private func sendImpatiently(_ key: String) async -> Answer? {
        await withTaskGroup(of: Answer?.self) { group in
            group.addTask { await send(key) }
            group.addTask {
                try? await runtime.sleep(for: .seconds(3) * runtime.randomFraction())
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
    }

    /// - Returns: `nil` if the connection broke, as the replica's end breaks it.
    private func send(_ key: String) async -> Answer? {
        tally.value.withLock { $0.requests += 1 }
        let replica = replicas[Int(runtime.random() % 3)].value.withLock(\.self)
        guard let pipeline = try? pipeline(of: replica) else { return nil }
        let call = Call(runtime: runtime)
        let request = Replicas.request(key: key)
        guard let response = try? await pipeline.run(request, call: call),
            let answer = try? await Answer(response), !replica.isDead
        else { return nil }
        return answer
    }

    private func pipeline(of replica: Replica) throws -> Pipeline<HTTP.Request> {
        let handler = ScriptedTransport<HTTP.Request> { [runtime, database] _, call in
            try await replica.work(for: .seconds(2) * runtime.randomFraction())
            guard let lease = call.idempotencyLease else { return HTTP.Response(500) }
            let order = try database.commit(lease)
            try await replica.work(for: .seconds(2) * runtime.randomFraction())
            return HTTP.Response(201, body: .text("order \(order)"))
        }
        return try Pipeline(transport: handler, runtime: runtime) {
            IdempotencyInterceptor(replica, policy: policy) { _, _ in "alice" }
        }
    }
}

extension Lock where Value == Replica {
    /// A lock in a place that can be copied.
    fileprivate final class Box: Sendable {
        let value: Lock<Replica>

        init(_ replica: Replica) { value = Lock(replica) }
    }
}
