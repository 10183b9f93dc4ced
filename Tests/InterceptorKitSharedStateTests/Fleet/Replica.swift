import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitSharedState
import InterceptorKitTesting
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One process of a simulated fleet, with its connection to the store: it can die, and it can stand still.
final class Replica: IdempotencyStore {
    struct Killed: Error {}

    private let store: SharedStore
    private let runtime: Runtime
    private let dead = Lock(false)
    private let pausedUntil = Lock<Runtime.Instant?>(nil)

    init(_ store: SharedStore) {
        self.store = store
        runtime = store.runtime
    }

    var isDead: Bool { dead.withLock(\.self) }

    /// Ends the process: nothing that it does from now on has an effect.
    func kill() { dead.withLock { $0 = true } }

    /// Has the process stand still, as for a virtual machine that is moved.
    func pause(for duration: Duration) {
        let end = runtime.now.advanced(by: duration)
        pausedUntil.withLock { $0 = end }
    }

    /// Waits as the process does, and ends if it has died.
    func work(for duration: Duration = .zero) async throws {
        try await runtime.sleep(for: duration)
        while let end = pausedUntil.withLock(\.self), end > runtime.now {
            try await runtime.sleep(until: end)
        }
        if isDead { throw Killed() }
    }

    private var isUnlucky: Bool { runtime.randomFraction() < 0.05 }

    private var latency: Duration { .milliseconds(Int(runtime.randomFraction() * 40)) }

    /// A question on its way to the store and back. What is under way when the process dies arrives.
    private func ask<Answer: Sendable>(
        _ question: @Sendable () async throws -> Answer
    ) async throws -> Answer {
        try await work()
        try await runtime.sleep(for: latency)
        if store.isAway || isUnlucky { throw UnreliableStore.Outage() }
        let answer = try await question()
        if store.isAway || isUnlucky { throw UnreliableStore.Outage() }
        try await work(for: latency)
        return answer
    }

    func claim(
        _ key: IdempotencyRecordKey,
        holder: String,
        fingerprint: Data,
        terms: IdempotencyTerms
    ) async throws -> IdempotencyClaim {
        try await ask {
            let claim = try await store.memory.claim(
                key,
                holder: holder,
                fingerprint: fingerprint,
                terms: terms
            )
            store.note(claim, of: key, terms)
            return claim
        }
    }

    func extend(_ lease: IdempotencyLease, terms: IdempotencyTerms) async throws -> Bool {
        try await ask {
            let isHeld = try await store.memory.extend(lease, terms: terms)
            if isHeld { store.noteExtension(of: lease, terms) }
            return isHeld
        }
    }

    func complete(
        _ lease: IdempotencyLease,
        with response: Data,
        keepingFor lifetime: Duration
    ) async throws -> Bool {
        try await ask {
            let isRecorded = try await store.memory.complete(
                lease,
                with: response,
                keepingFor: lifetime
            )
            if isRecorded { store.noteRecord(of: lease) }
            return isRecorded
        }
    }

    func release(_ lease: IdempotencyLease) async throws -> Bool {
        try await ask { try await store.memory.release(lease) }
    }

    func abandon(_ lease: IdempotencyLease, keepingFor lifetime: Duration) async throws -> Bool {
        try await ask { try await store.memory.abandon(lease, keepingFor: lifetime) }
    }
}
