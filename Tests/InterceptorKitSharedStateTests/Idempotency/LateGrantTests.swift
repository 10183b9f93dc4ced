import Expectations
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitSharedState
import InterceptorKitTesting
import Synchronization
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Carries everything out, and is late with its first answers, as a server that is stopped for a while.
private final class LateStore: IdempotencyStore {
    private let memory: MemoryIdempotencyStore
    private let runtime: Runtime
    private let lateClaims: Lock<Int>
    private let lateReleases: Lock<Int>

    init(_ runtime: Runtime, lateClaims: Int, lateReleases: Int) {
        memory = MemoryIdempotencyStore(runtime: runtime)
        self.runtime = runtime
        self.lateClaims = Lock(lateClaims)
        self.lateReleases = Lock(lateReleases)
    }

    private func wait(_ late: borrowing Lock<Int>) async throws {
        let isLate = late.withLock { left in
            defer { left = max(0, left - 1) }
            return left > 0
        }
        if isLate { try await runtime.sleep(for: .seconds(3)) }
    }

    func claim(
        _ key: IdempotencyRecordKey,
        holder: String,
        fingerprint: Data,
        terms: IdempotencyTerms
    ) async throws -> IdempotencyClaim {
        let claim = try await memory.claim(
            key,
            holder: holder,
            fingerprint: fingerprint,
            terms: terms
        )
        try await wait(lateClaims)
        return claim
    }

    func extend(_ lease: IdempotencyLease, terms: IdempotencyTerms) async throws -> Bool {
        try await memory.extend(lease, terms: terms)
    }

    func complete(
        _ lease: IdempotencyLease,
        with response: Data,
        keepingFor lifetime: Duration
    ) async throws -> Bool {
        try await memory.complete(lease, with: response, keepingFor: lifetime)
    }

    func release(_ lease: IdempotencyLease) async throws -> Bool {
        // Before it is carried out: a release that is late has not happened.
        try await wait(lateReleases)
        return try await memory.release(lease)
    }

    func abandon(_ lease: IdempotencyLease, keepingFor lifetime: Duration) async throws -> Bool {
        try await memory.abandon(lease, keepingFor: lifetime)
    }
}

@Suite("A grant whose answer is late")
struct LateGrantTests {
    @Test("is given back, so that the request may run", arguments: [(1, 0), (3, 2), (0, 1)])
    func givenBack(lateClaims: Int, lateReleases: Int) throws {
        let (statuses, runs) = try Simulation.run(seed: 1) { simulation in
            let runtime = simulation.runtime
            let runs = Lock(0)
            // With no late claim, the first run has no effect, and its release is late.
            let transport = ScriptedTransport<HTTP.Request> { _, _ in
                let number = runs.withLock { runs in
                    runs += 1
                    return runs
                }
                return HTTP.Response(lateClaims == 0 && number == 1 ? 429 : 201)
            }
            let store = LateStore(runtime, lateClaims: lateClaims, lateReleases: lateReleases)
            let pipeline = try Pipeline(transport: transport, runtime: runtime) {
                IdempotencyInterceptor(store) { _, _ in "me" }
            }
            let order = HTTP.Request.post(
                "https://shop.example/orders",
                headers: ["Idempotency-Key": "\"k-1\""],
                body: "one"
            )
            var statuses = [try await pipeline.run(order).status.code]
            try await runtime.sleep(for: .seconds(60))
            statuses.append(try await pipeline.run(order).status.code)
            return (statuses, runs.withLock(\.self))
        }

        expectEqual(statuses, [lateClaims == 0 ? 429 : 503, 201])
        expectEqual(runs, (lateClaims == 0 ? 2 : 1))
    }
}
