import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The records of a ``MemoryIdempotencyStore``, with the states that keys have in every store.
struct IdempotencyRecords {
    fileprivate struct Record {
        enum State {
            /// Held until the instant, and unknown afterwards.
            case held(until: Runtime.Instant)
            case completed(Data)
        }

        let principal: String
        let fingerprint: Data
        let holder: String
        let token: Int64
        var state: State
        /// The instant at which the record ends.
        var expiry: Runtime.Instant

        func isHeld(by lease: IdempotencyLease, at now: Runtime.Instant) -> Bool {
            guard case .held(let end) = state else { return false }
            return token == lease.token && now < end
        }
    }

    private var records: [String: Record] = [:]
    /// The expiry of all records, and of each principal's records.
    private var ends = ExpiryQueue<String>()
    private var endsByPrincipal: [String: ExpiryQueue<String>] = [:]
    private var lastToken: Int64 = 0
    private let capacity: Int

    init(capacity: Int) { self.capacity = capacity }

    var count: Int { records.count }

    /// - Parameter token: A token that is larger than those of earlier processes.
    mutating func claim(
        _ key: IdempotencyRecordKey,
        holder: String,
        fingerprint: Data,
        terms: IdempotencyTerms,
        token: Int64,
        at now: Runtime.Instant
    ) throws(StoreError) -> IdempotencyClaim {
        let name = key.name
        removeIfEnded(name, at: now)
        if var record = records[name] {
            guard record.fingerprint == fingerprint else { return .mismatch }
            switch record.state {
            case .completed(let response):
                return .completed(response)
            case .held(let end) where now < end:
                guard record.holder == holder else {
                    return .inProgress(remaining: now.duration(to: end))
                }
                record.hold(by: terms, from: now)
                insert(record, as: name)
                return .granted(IdempotencyLease(key: key, token: record.token))
            case .held:
                guard terms.runsAgain else { return .outcomeUnknown }
            }
        } else if let refusal = try refusal(of: key.principalName, terms, at: now) {
            return refusal
        }
        lastToken = max(lastToken + 1, token)
        var record = Record(
            principal: key.principalName,
            fingerprint: fingerprint,
            holder: holder,
            token: lastToken,
            state: .held(until: now),
            expiry: now
        )
        record.hold(by: terms, from: now)
        insert(record, as: name)
        return .granted(IdempotencyLease(key: key, token: lastToken))
    }

    /// Returns the reason why there is no room for a new record.
    ///
    /// A principal has at most as many records as are free, so that its records leave room for others: the dynamic
    /// threshold of Choudhury and Hahne (IEEE/ACM Transactions on Networking 6(2), 1998).
    private mutating func refusal(
        of principal: String,
        _ terms: IdempotencyTerms,
        at now: Runtime.Instant
    ) throws(StoreError) -> IdempotencyClaim? {
        let quota = terms.quota ?? .max
        while count(of: principal) >= quota,
            removeIfEnded(endsByPrincipal[principal]?.first?.key, at: now)
        {
        }
        if !hasRoom(for: principal) {
            var removed = 0
            while removed < ExpiryLimits.batch || !hasRoom(for: principal),
                removeIfEnded(ends.first?.key, at: now)
            {
                removed += 1
            }
        }
        guard records.count < capacity else {
            throw StoreError(
                .full,
                "The store has \(capacity) idempotency records and no room for more. Give it a larger "
                    + "capacity, or keep records for a shorter time."
            )
        }
        guard count(of: principal) >= quota || !hasRoom(for: principal) else { return nil }
        let first = endsByPrincipal[principal]?.first?.end ?? now
        return .quotaExceeded(retryAfter: now.duration(to: first))
    }

    private func count(of principal: String) -> Int { endsByPrincipal[principal]?.count ?? 0 }

    private func hasRoom(for principal: String) -> Bool {
        let free = capacity - records.count
        return free > 0 && count(of: principal) <= free
    }

    mutating func extend(
        _ lease: IdempotencyLease,
        terms: IdempotencyTerms,
        at now: Runtime.Instant
    ) -> Bool {
        let name = lease.key.name
        guard var record = records[name], record.isHeld(by: lease, at: now) else { return false }
        record.hold(by: terms, from: now)
        insert(record, as: name)
        return true
    }

    mutating func complete(
        _ lease: IdempotencyLease,
        with response: Data,
        keepingFor lifetime: Duration,
        at now: Runtime.Instant
    ) -> Bool {
        let name = lease.key.name
        removeIfEnded(name, at: now)
        guard var record = records[name], record.token == lease.token else { return false }
        if case .completed = record.state { return true }
        guard record.isHeld(by: lease, at: now) else { return false }
        record.state = .completed(response)
        record.expiry = now.advanced(by: lifetime)
        insert(record, as: name)
        return true
    }

    mutating func release(_ lease: IdempotencyLease, at now: Runtime.Instant) -> Bool {
        let name = lease.key.name
        guard records[name]?.isHeld(by: lease, at: now) == true else { return false }
        remove(name)
        return true
    }

    mutating func abandon(
        _ lease: IdempotencyLease,
        keepingFor lifetime: Duration,
        at now: Runtime.Instant
    ) -> Bool {
        let name = lease.key.name
        guard var record = records[name], record.isHeld(by: lease, at: now) else { return false }
        record.state = .held(until: now)
        record.expiry = now.advanced(by: lifetime)
        insert(record, as: name)
        return true
    }

    private mutating func insert(_ record: Record, as name: String) {
        records[name] = record
        ends[name] = record.expiry
        endsByPrincipal[record.principal, default: ExpiryQueue()][name] = record.expiry
    }

    /// - Returns: Whether the record had ended and was removed.
    @discardableResult
    private mutating func removeIfEnded(_ name: String?, at now: Runtime.Instant) -> Bool {
        guard let name, let end = ends[name], end <= now else { return false }
        remove(name)
        return true
    }

    private mutating func remove(_ name: String) {
        guard let record = records.removeValue(forKey: name) else { return }
        ends[name] = nil
        endsByPrincipal[record.principal]?[name] = nil
        if endsByPrincipal[record.principal]?.count == 0 { endsByPrincipal[record.principal] = nil }
    }
}

extension IdempotencyRecords.Record {
    fileprivate mutating func hold(by terms: IdempotencyTerms, from now: Runtime.Instant) {
        let end = now.advanced(by: terms.lease)
        state = .held(until: end)
        expiry = end.advanced(by: terms.lifetime)
    }
}
