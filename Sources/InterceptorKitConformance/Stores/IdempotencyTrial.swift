import InterceptorKit
import InterceptorKitSharedState

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A store of idempotency records under trial, and keys that nothing else uses.
extension StoreRequirement<any IdempotencyStore>.Context {
    static var response: Data { Data("recorded".utf8) }

    /// Terms that outlast the requirement, except where it is about their end.
    var terms: IdempotencyTerms { IdempotencyTerms(lease: .seconds(60), lifetime: .seconds(60)) }

    /// Terms with a lease short enough to wait for.
    var shortTerms: IdempotencyTerms { IdempotencyTerms(lease: lease, lifetime: .seconds(60)) }

    func key(route: String = "POST /orders") -> IdempotencyRecordKey {
        IdempotencyRecordKey(principal: unique("principal"), route: route, key: "1")
    }

    nonisolated(nonsending) func claim(
        _ key: IdempotencyRecordKey,
        by holder: String? = nil,
        for request: String = "request",
        _ terms: IdempotencyTerms? = nil
    ) async throws -> IdempotencyClaim {
        try await store.claim(
            key,
            holder: holder ?? unique("holder"),
            fingerprint: Data(HashAlgorithm.sha256.hash(request.utf8)),
            terms: terms ?? self.terms
        )
    }

    /// Returns the lease of a claim that is expected to be granted.
    nonisolated(nonsending) func grant(
        _ key: IdempotencyRecordKey,
        by holder: String? = nil,
        _ terms: IdempotencyTerms? = nil
    ) async throws -> IdempotencyLease {
        let claim = try await claim(key, by: holder, terms)
        guard case .granted(let lease) = claim else {
            throw ExpectationFailure("The claim is \(claim) instead of granted.")
        }
        return lease
    }

    /// Returns the leases granted to many claims at once.
    nonisolated(nonsending) func grantsOfMany(
        _ key: IdempotencyRecordKey,
        _ terms: IdempotencyTerms
    ) async throws -> [IdempotencyLease] {
        let claims = try await withThrowingTaskGroup(of: IdempotencyClaim.self) { group in
            for _ in 0..<20 { group.addTask { try await claim(key, terms) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        return try claims.compactMap { claim in
            switch claim {
            case .granted(let lease): return lease
            case .inProgress: return nil
            default: throw ExpectationFailure("One of them is \(claim).")
            }
        }
    }

    nonisolated(nonsending) func complete(
        _ lease: IdempotencyLease,
        with response: Data = response,
        keepingFor lifetime: Duration = .seconds(60)
    ) async throws -> Bool {
        try await store.complete(lease, with: response, keepingFor: lifetime)
    }

    /// Extends a lease for three times its length, and then completes it.
    /// - Returns: `false` if this process was late for an extension.
    nonisolated(nonsending) func keepsLease() async throws -> Bool {
        var asked = runtime.now
        let lease = try await grant(key(), shortTerms)
        for number in 1...13 {
            try await runtime.sleep(for: self.lease / 4)
            let previous = asked
            asked = runtime.now
            let isHeld =
                number <= 12
                ? try await store.extend(lease, terms: shortTerms) : try await complete(lease)
            if isHeld { continue }
            guard previous.duration(to: runtime.now) < self.lease else { return false }
            throw ExpectationFailure(
                number <= 12
                    ? "The lease was lost between two extensions."
                    : "The response was not recorded."
            )
        }
        return true
    }

    /// Waits past the end of a time that the store observes.
    nonisolated(nonsending) func wait(past duration: Duration? = nil) async throws {
        try await runtime.sleep(for: duration ?? lease)
        // Stores that collect ended leases do so a moment later.
        try await runtime.sleep(for: lease)
    }
}

extension StoreRequirement<any IdempotencyStore> {
    static let idempotency = [claims, leases, endings, quotas].flatMap(\.self)
}
