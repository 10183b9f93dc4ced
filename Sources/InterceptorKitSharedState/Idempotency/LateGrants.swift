import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Releases leases that a store may have granted although its response did not come in time.
///
/// Nothing ran under such a lease. Without a release it would end without an outcome, and the key would be refused as
/// if a request might have run. This object owns the tasks, which end with it.
final class LateGrants: Sendable {
    private struct State {
        var lastID: UInt64 = 0
        var tasks: [UInt64: Task<Void, Never>?] = [:]
    }

    /// The largest number of releases at a time; further leases end by themselves.
    private static let limit = 1024

    private let state = Lock(State())

    deinit {
        for task in state.withLock(\.tasks).values { task?.cancel() }
    }

    /// Repeats a claim, which is granted again to its holder, and releases it.
    func release(
        to claimant: IdempotencyClaimant,
        _ key: IdempotencyRecordKey,
        holder: String,
        fingerprint: Data
    ) {
        let store = claimant.store
        let terms = claimant.policy.terms
        // Twice, because the first claim may reach the store after the first repetition.
        repeated(2, claimant) {
            let claim = try await store.claim(
                key,
                holder: holder,
                fingerprint: fingerprint,
                terms: terms
            )
            if case .granted(let lease) = claim { _ = try await store.release(lease) }
        }
    }

    /// Releases a lease under which a request had no effect.
    func release(to claimant: IdempotencyClaimant, _ lease: IdempotencyLease) {
        let store = claimant.store
        repeated(1, claimant) { _ = try await store.release(lease) }
    }

    private func repeated(
        _ times: Int,
        _ claimant: IdempotencyClaimant,
        _ operation: @escaping @Sendable () async throws -> Void
    ) {
        let runtime = claimant.call.runtime
        let policy = claimant.policy
        let id: UInt64? = state.withLock { state in
            guard state.tasks.count < Self.limit else { return nil }
            state.lastID += 1
            state.tasks[state.lastID] = .some(nil)
            return state.lastID
        }
        guard let id else { return }
        let task = runtime.start("return of an idempotency lease") { [weak self] in
            // The length of an outage of some minutes, and longer than the lease, which has then ended.
            let end = runtime.now.advanced(by: max(policy.lease * 2, .seconds(300)))
            let pauses = Backoff(base: .milliseconds(500), cap: .seconds(10), jitter: .equal)
            var left = times
            var number = 0
            while left > 0, runtime.now < end {
                number += 1
                do {
                    try await runtime.withStoreTimeout(policy.storeTimeout, operation)
                    left -= 1
                } catch is CancellationError {
                    break
                } catch {}
                let pause = pauses.delay(after: number, fraction: runtime.randomFraction())
                if left > 0, (try? await runtime.sleep(for: pause)) == nil { break }
            }
            _ = self?.state.withLock { $0.tasks.removeValue(forKey: id) }
        }
        state.withLock { state in
            // The task may have ended already.
            if state.tasks[id] != nil { state.tasks.updateValue(task, forKey: id) }
        }
    }
}
