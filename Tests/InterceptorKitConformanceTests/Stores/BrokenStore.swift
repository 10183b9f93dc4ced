import InterceptorKit
import InterceptorKitSharedState

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A store that breaks one of its promises, or none.
struct BrokenStore: IdempotencyStore {
    enum Promise: CaseIterable, Sendable {
        case oneGrant, fingerprints, lostLeases, extensions, growingTokens, quotas, responses
        case releases, unknown
    }

    let store: MemoryIdempotencyStore
    let broken: Promise?
    var beforeExtending: @Sendable () async throws -> Void = {}

    func claim(
        _ key: IdempotencyRecordKey,
        holder: String,
        fingerprint: Data,
        terms: IdempotencyTerms
    ) async throws -> IdempotencyClaim {
        var terms = terms
        if broken == .quotas { terms.quota = nil }
        if broken == .unknown { terms.runsAgain = true }
        let claim = try await store.claim(
            key,
            holder: holder,
            fingerprint: broken == .fingerprints ? Data() : fingerprint,
            terms: terms
        )
        switch (broken, claim) {
        case (.oneGrant, .inProgress):
            return .granted(IdempotencyLease(key: key, token: .max))
        case (.growingTokens, .granted):
            return .granted(IdempotencyLease(key: key, token: 1))
        case (.responses, .completed(let response)):
            return .completed(Data(response.dropLast()))
        default:
            return claim
        }
    }

    func extend(_ lease: IdempotencyLease, terms: IdempotencyTerms) async throws -> Bool {
        try await beforeExtending()
        if broken == .extensions { return true }
        let isHeld = try await store.extend(lease, terms: terms)
        return broken == .lostLeases || isHeld
    }

    func complete(
        _ lease: IdempotencyLease,
        with response: Data,
        keepingFor lifetime: Duration
    ) async throws -> Bool {
        let isRecorded = try await store.complete(lease, with: response, keepingFor: lifetime)
        return broken == .lostLeases || isRecorded
    }

    func release(_ lease: IdempotencyLease) async throws -> Bool {
        if broken == .releases { return true }
        return try await store.release(lease)
    }

    func abandon(_ lease: IdempotencyLease, keepingFor lifetime: Duration) async throws -> Bool {
        try await store.abandon(lease, keepingFor: lifetime)
    }
}
