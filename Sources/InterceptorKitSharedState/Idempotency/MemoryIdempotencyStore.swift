public import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A store of idempotency records in memory, for tests and for a service of one process.
///
/// Replicas do not share it, and a restart loses it: a request that is repeated then runs again.
///
/// Records are removed when they have ended and room is needed. Above its capacity it grants no new key and throws
/// `StoreError.Code.full`, because a record that is lost could let its request run again. A principal has at
/// most as many records as are free, so that it cannot use up the room of others: half of the capacity if it is alone,
/// and beyond that ``IdempotencyClaim/quotaExceeded(retryAfter:)``.
public final class MemoryIdempotencyStore: IdempotencyStore {
    private let runtime: Runtime
    private let records: Lock<IdempotencyRecords>

    /// Creates an empty store.
    /// - Parameters:
    ///   - capacity: The largest number of records, at least 1. Defaults to 20,000, twice the quota of an
    ///     ``IdempotencyPolicy``, which is 1.25 GiB with the largest responses.
    ///   - runtime: The clock of leases and records. Defaults to the live runtime.
    public init(capacity: Int = 20_000, runtime: Runtime = .live) {
        records = Lock(IdempotencyRecords(capacity: max(1, capacity)))
        self.runtime = runtime
    }

    public func claim(
        _ key: IdempotencyRecordKey,
        holder: String,
        fingerprint: Data,
        terms: IdempotencyTerms
    ) async throws -> IdempotencyClaim {
        let time = runtime.date.timeIntervalSince1970 * 1_000_000
        // Zero for a date that does not fit: tokens then grow only within this process.
        let microseconds = Int64(exactly: time.rounded(.down)) ?? 0
        return try records.withLock { records in
            try records.claim(
                key,
                holder: holder,
                fingerprint: fingerprint,
                terms: terms,
                token: microseconds,
                at: runtime.now
            )
        }
    }

    public func extend(_ lease: IdempotencyLease, terms: IdempotencyTerms) async throws -> Bool {
        records.withLock { $0.extend(lease, terms: terms, at: runtime.now) }
    }

    public func complete(
        _ lease: IdempotencyLease,
        with response: Data,
        keepingFor lifetime: Duration
    ) async throws -> Bool {
        records.withLock {
            $0.complete(lease, with: response, keepingFor: lifetime, at: runtime.now)
        }
    }

    public func release(_ lease: IdempotencyLease) async throws -> Bool {
        records.withLock { $0.release(lease, at: runtime.now) }
    }

    public func abandon(
        _ lease: IdempotencyLease,
        keepingFor lifetime: Duration
    ) async throws -> Bool {
        records.withLock { $0.abandon(lease, keepingFor: lifetime, at: runtime.now) }
    }

    /// The number of records, including those that have ended and are not removed yet.
    public var count: Int { records.withLock(\.count) }
}

extension MemoryIdempotencyStore: CustomStringConvertible {
    /// The store as text, as in `MemoryIdempotencyStore(3 records)`.
    public var description: String { "MemoryIdempotencyStore(\(count) records)" }
}
