import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The store operations of one call, repeated after failures within a time limit.
struct IdempotencyClaimant: Sendable {
    let store: any IdempotencyStore
    let policy: IdempotencyPolicy
    let call: Call
    let lateGrants: LateGrants

    private var runtime: Runtime { call.runtime }

    /// Claims a key, and waits for another holder as long as the policy allows.
    nonisolated(nonsending) func claim(
        _ key: IdempotencyRecordKey,
        fingerprint: Data
    ) async throws -> IdempotencyClaim {
        let end = runtime.now.advanced(by: policy.longestWait)
        let pauses = Backoff(base: .milliseconds(50), cap: .milliseconds(500), jitter: .equal)
        var number = 0
        while true {
            let holder = runtime.randomBytes(16).hexadecimal
            let claim: IdempotencyClaim
            do {
                claim = try await perform {
                    try await store.claim(
                        key,
                        holder: holder,
                        fingerprint: fingerprint,
                        terms: policy.terms
                    )
                }
            } catch {
                // The claim may have been granted, or may be granted later. Nothing runs under it.
                if error is CancellationError || Self.isTransient(error) {
                    lateGrants.release(to: self, key, holder: holder, fingerprint: fingerprint)
                }
                throw error
            }
            if Task.isCancelled {
                if case .granted(let lease) = claim { await release(lease) }
                throw CancellationError()
            }
            guard case .inProgress(let remaining) = claim else { return claim }
            let left = runtime.now.duration(to: end)
            guard left > .zero else { return claim }
            number += 1
            let pause = pauses.delay(after: number, fraction: runtime.randomFraction())
            try await runtime.sleep(for: min(left, max(.milliseconds(1), min(pause, remaining))))
        }
    }

    /// Releases a lease under which nothing has run; later if the store does not respond now.
    private nonisolated(nonsending) func release(_ lease: IdempotencyLease) async {
        do {
            _ = try await perform { try await store.release(lease) }
        } catch {
            lateGrants.release(to: self, lease)
        }
    }

    /// Runs an operation of the store, and repeats it after failures until the time for its response is over.
    ///
    /// It runs in a separate task, for which a cancelled caller waits too, because the result must be known.
    nonisolated(nonsending) func perform<Value: Sendable>(
        _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let box = Box<Result<Value, any Error>>()
        await runtime.start("question to an idempotency store") { [runtime, policy] in
            do {
                box.set(
                    .success(
                        try await runtime.withStoreTimeout(policy.storeTimeout) {
                            try await repeatedly(operation)
                        }
                    )
                )
            } catch {
                box.set(.failure(error))
            }
        }.value
        guard let result = box.value else { throw CancellationError() }
        return try result.get()
    }

    private func repeatedly<Value: Sendable>(
        _ operation: @Sendable () async throws -> Value
    ) async throws -> Value {
        let end = runtime.now.advanced(by: policy.storeTimeout)
        let pauses = Backoff(base: .milliseconds(10), cap: .milliseconds(200), jitter: .equal)
        var failures = 0
        while true {
            do {
                return try await operation()
            } catch let error where Self.isTransient(error) {
                failures += 1
                let pause = pauses.delay(after: failures, fraction: runtime.randomFraction())
                guard runtime.now.advanced(by: pause) < end else { throw error }
                try await runtime.sleep(for: pause)
            }
        }
    }

    private static func isTransient(_ error: any Error) -> Bool {
        if error is CancellationError { return false }
        guard let error = error as? StoreError else { return true }
        return error.code == .unreachable || error.code == .timedOut
    }

    /// Reports that the store failed, and the behaviour that replaces it.
    func report(_ error: any Error) {
        guard call.isObserved else { return }
        var attributes = call.attributes(of: error)
        attributes["store"] = .text("\(type(of: store))")
        attributes["policy"] = .text("\(policy.whenUnavailable)")
        call.emit(.storeUnavailable, attributes)
    }
}

/// A value that one task sets and another reads.
final class Box<Value: Sendable>: Sendable {
    private let stored = Lock<Value?>(nil)

    var value: Value? { stored.withLock(\.self) }

    func set(_ value: Value) { stored.withLock { $0 = value } }
}
