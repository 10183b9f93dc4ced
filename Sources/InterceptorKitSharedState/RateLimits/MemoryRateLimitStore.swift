public import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// A store of rate limits in memory, for tests and for a service of one process.
///
/// It keeps the keys whose limit is not full, up to a capacity. Above that, it throws
/// `StoreError.Code.full` for a new key, because the loss of a key would admit more calls. A key
/// of more than 64 bytes is stored as its digest.
public final class MemoryRateLimitStore: RateLimitStore {
    private let runtime: Runtime
    private let capacity: Int
    /// The instant at which each key has all its permits again.
    private let full = Lock(ExpiryQueue<String>())

    /// Creates an empty store.
    /// - Parameters:
    ///   - capacity: The largest number of keys, at least 1. Defaults to 100,000.
    ///   - runtime: The clock. Defaults to the live runtime.
    public init(capacity: Int = 100_000, runtime: Runtime = .live) {
        self.capacity = max(1, capacity)
        self.runtime = runtime
    }

    public func take(
        _ permits: Int,
        of quota: RateLimitQuota,
        for key: String,
        waitingAtMost wait: Duration
    ) async throws -> RateLimitDecision {
        try take(permits, of: quota, for: key, waitingAtMost: wait, at: runtime.now)
    }

    func take(
        _ permits: Int,
        of quota: RateLimitQuota,
        for key: String,
        waitingAtMost wait: Duration,
        at now: Runtime.Instant
    ) throws -> RateLimitDecision {
        try quota.check(permits)
        let key = Self.name(of: key)
        return try full.withLock { full throws(StoreError) in
            if full[key] == nil { try makeRoom(in: &full, at: now) }
            // GCRA (ITU-T I.371): the theoretical arrival time, and the tolerance for bursts.
            let interval = quota.interval
            let later = max(full[key] ?? now, now).advanced(by: interval * permits)
            let start = later.advanced(by: .zero - interval * quota.burst)
            let delay = max(.zero, now.duration(to: start))
            guard delay <= min(max(wait, .zero), RateLimitQuota.longestWait) else {
                return .rejected(retryAfter: delay)
            }
            full[key] = later
            let left = start.duration(to: now) / interval
            return .admitted(after: delay, remaining: max(0, Int(left + 0.000001)))
        }
    }

    /// The number of keys that are stored.
    public var count: Int { full.withLock(\.count) }

    /// Returns the key as it is stored, with a bounded length.
    static func name(of key: String) -> String {
        // A digest is longer than any key that is stored unchanged, so no key can equal a digest.
        key.utf8.count <= 64 ? key : "sha256:\(HashAlgorithm.sha256.hash(key.utf8).hexadecimal)"
    }

    private func makeRoom(
        in full: inout ExpiryQueue<String>,
        at now: Runtime.Instant
    ) throws(StoreError) {
        guard full.count >= capacity else { return }
        for _ in 0..<ExpiryLimits.batch {
            guard let first = full.first, first.end <= now else { break }
            full[first.key] = nil
        }
        guard full.count >= capacity else { return }
        throw StoreError(
            .full,
            "The store keeps the rate limits of \(capacity) keys and has no room for more. Give it a larger "
                + "capacity."
        )
    }
}

extension MemoryRateLimitStore: CustomStringConvertible {
    /// The store as text, as in `MemoryRateLimitStore(3 keys)`.
    public var description: String { "MemoryRateLimitStore(\(count) keys)" }
}
