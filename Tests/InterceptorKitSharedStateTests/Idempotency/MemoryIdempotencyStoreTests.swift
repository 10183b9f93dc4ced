import Expectations
import InterceptorKit
import InterceptorKitConformance
import InterceptorKitSharedState
import InterceptorKitSigning
import InterceptorKitTesting
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("MemoryIdempotencyStore")
struct MemoryIdempotencyStoreTests {
    private let terms = IdempotencyTerms(lease: .seconds(10), lifetime: .seconds(60))
    private let fingerprint = Data("request".utf8)

    private func key(_ key: String) -> IdempotencyRecordKey {
        IdempotencyRecordKey(principal: "alice", route: "POST /orders", key: key)
    }

    @Test("is a store of idempotency records")
    func conformance() throws {
        let report = try Simulation.run(seed: 1) { simulation in
            await StoreConformance.run(
                against: "memory",
                excluding: [
                    .limitation(
                        "remembers a nonce for its time, whatever the caller's clock",
                        because:
                            "NonceCache goes by its callers' clock, which is one in a process.",
                        seenOn: "InterceptorKitSigning 0.1"
                    )
                ],
                timeLimit: .seconds(3600),
                runtime: simulation.runtime
            ) {
                StoreConformance.Stores(
                    idempotency: MemoryIdempotencyStore(runtime: simulation.runtime),
                    nonces: NonceCache(),
                    rateLimits: MemoryRateLimitStore(runtime: simulation.runtime)
                )
            }
        }

        print(report.summary)
        expectTrue(report.isConformant, "\(report)")
    }

    @Test("ends a lease to the nanosecond")
    func leaseEnd() throws {
        let claims = try Simulation.run(seed: 1) { simulation in
            let store = MemoryIdempotencyStore(runtime: simulation.runtime)
            var claims: [IdempotencyClaim] = []
            func claim(by holder: String) async throws {
                claims.append(
                    try await store.claim(
                        key("1"),
                        holder: holder,
                        fingerprint: fingerprint,
                        terms: terms
                    )
                )
            }

            try await claim(by: "a")
            try await simulation.runtime.sleep(for: .seconds(10) - .nanoseconds(1))
            try await claim(by: "b")
            try await simulation.runtime.sleep(for: .nanoseconds(1))
            try await claim(by: "b")
            return claims
        }

        expectEqual(claims[1], .inProgress(remaining: .nanoseconds(1)))
        expectEqual(claims[2], .outcomeUnknown)
    }

    @Test("grants no new key above its capacity, and no longer than it has to")
    func capacity() throws {
        let (error, count) = try Simulation.run(seed: 1) { simulation in
            let store = MemoryIdempotencyStore(capacity: 2, runtime: simulation.runtime)
            func claim(_ name: String) async throws {
                _ = try await store.claim(
                    key(name),
                    holder: name,
                    fingerprint: fingerprint,
                    terms: terms
                )
            }

            try await claim("1")
            try await claim("2")
            var error: (any Error)?
            do { try await claim("3") } catch let thrown { error = thrown }
            try await claim("1")
            try await simulation.runtime.sleep(for: .seconds(70))
            try await claim("3")
            return (error, store.count)
        }

        expectEqual((error as? StoreError)?.code, .full)
        expectEqual(count, 1)
    }

    @Test("grants larger tokens than a process before it")
    func tokens() throws {
        let tokens = try Simulation.run(seed: 1) { simulation in
            var tokens: [Int64] = []
            for _ in 0..<2 {
                let store = MemoryIdempotencyStore(runtime: simulation.runtime)
                let claim = try await store.claim(
                    key("1"),
                    holder: "a",
                    fingerprint: fingerprint,
                    terms: terms
                )
                if case .granted(let lease) = claim { tokens.append(lease.token) }
                try await simulation.runtime.sleep(for: .microseconds(1))
            }
            return tokens
        }

        expectEqual(tokens.count, 2)
        expectTrue(tokens[0] < tokens[1])
    }

    @Test("leaves room for others, however many keys one principal has")
    func fairness() async throws {
        let store = MemoryIdempotencyStore(capacity: 12)
        func claim(of principal: String, _ number: Int) async throws -> IdempotencyClaim {
            try await store.claim(
                IdempotencyRecordKey(principal: principal, route: "POST /", key: "\(number)"),
                holder: "h",
                fingerprint: fingerprint,
                terms: terms
            )
        }

        var granted: [String: Int] = [:]
        for principal in ["mallory", "eve", "alice"] {
            for number in 0..<20 {
                let claim = try? await claim(of: principal, number)
                if case .granted = claim { granted[principal, default: 0] += 1 }
            }
        }

        expectEqual(granted, ["mallory": 7, "eve": 3, "alice": 2])
    }
}
