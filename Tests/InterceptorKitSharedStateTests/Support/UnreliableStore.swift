import InterceptorKit
import InterceptorKitSharedState

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A store that fails before or after it does what it is asked, as a network makes one.
struct UnreliableStore: IdempotencyStore {
    enum Operation: Sendable, Hashable {
        case claim, extend, complete, release, abandon
    }

    struct Outage: Error, CustomStringConvertible {
        let description = "The connection was closed."
    }

    let store: any IdempotencyStore
    var before: @Sendable (Operation) async throws -> Void = { _ in }
    var after: @Sendable (Operation) async throws -> Void = { _ in }

    private func pass<Answer>(
        _ operation: Operation,
        _ ask: () async throws -> Answer
    ) async throws -> Answer {
        try await before(operation)
        let answer = try await ask()
        try await after(operation)
        return answer
    }

    func claim(
        _ key: IdempotencyRecordKey,
        holder: String,
        fingerprint: Data,
        terms: IdempotencyTerms
    ) async throws -> IdempotencyClaim {
        try await pass(.claim) {
            try await store.claim(key, holder: holder, fingerprint: fingerprint, terms: terms)
        }
    }

    func extend(_ lease: IdempotencyLease, terms: IdempotencyTerms) async throws -> Bool {
        try await pass(.extend) { try await store.extend(lease, terms: terms) }
    }

    func complete(
        _ lease: IdempotencyLease,
        with response: Data,
        keepingFor lifetime: Duration
    ) async throws -> Bool {
        try await pass(.complete) {
            try await store.complete(lease, with: response, keepingFor: lifetime)
        }
    }

    func release(_ lease: IdempotencyLease) async throws -> Bool {
        try await pass(.release) { try await store.release(lease) }
    }

    func abandon(_ lease: IdempotencyLease, keepingFor lifetime: Duration) async throws -> Bool {
        try await pass(.abandon) { try await store.abandon(lease, keepingFor: lifetime) }
    }
}
