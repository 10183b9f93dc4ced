import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The records of a ``MemoryIdempotencyStore``: the states of keys, as every store has them.
struct IdempotencyRecords {
    fileprivate struct Record {
        enum State {
            /// Held until then, and unknown afterwards.
            case held(until: Runtime.Instant)
            case completed(Data)
        }

        let principal: String
        let fingerprint: Data
        let holder: String
        let token: Int64
        var state: State
        /// The end of the record.
        var expiry: Runtime.Instant

        func isHeld(by lease: IdempotencyLease, at now: Runtime.Instant) -> Bool {
            guard case .held(let end) = state else { return false }
            return token == lease.token && now < end
        }
    }

    private var records: [String: Record] = [:]
    private var names: [String: Set<String>] = [:]
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
    ) throws(SharedStateError) -> IdempotencyClaim {
        let name = key.name
        removeExpired([name], at: now)
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
                records[name] = record
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
        records[name] = record
        names[record.principal, default: []].insert(name)
        return .granted(IdempotencyLease(key: key, token: lastToken))
    }

    /// Why there is no room for a new record.
    private mutating func refusal(
        of principal: String,
        _ terms: IdempotencyTerms,
        at now: Runtime.Instant
    ) throws(SharedStateError) -> IdempotencyClaim? {
        if let quota = terms.quota, names[principal, default: []].count >= quota {
            removeExpired(names[principal, default: []], at: now)
            let left = names[principal, default: []]
            if left.count >= quota {
                let first = left.compactMap { records[$0]?.expiry }.min() ?? now
                return .quotaExceeded(retryAfter: now.duration(to: first))
            }
        }
        guard records.count >= capacity else { return nil }
        removeExpired(Set(records.keys), at: now)
        guard records.count >= capacity else { return nil }
        throw SharedStateError(
            .full,
            "The store has \(capacity) idempotency records and no room for more. Give it a larger "
                + "capacity, or keep records for a shorter time."
        )
    }

    mutating func extend(
        _ lease: IdempotencyLease,
        terms: IdempotencyTerms,
        at now: Runtime.Instant
    ) -> Bool {
        let name = lease.key.name
        guard var record = records[name], record.isHeld(by: lease, at: now) else { return false }
        record.hold(by: terms, from: now)
        records[name] = record
        return true
    }

    mutating func complete(
        _ lease: IdempotencyLease,
        with response: Data,
        keepingFor lifetime: Duration,
        at now: Runtime.Instant
    ) -> Bool {
        let name = lease.key.name
        removeExpired([name], at: now)
        guard var record = records[name], record.token == lease.token else { return false }
        if case .completed = record.state { return true }
        guard record.isHeld(by: lease, at: now) else { return false }
        record.state = .completed(response)
        record.expiry = now.advanced(by: lifetime)
        records[name] = record
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
        records[name] = record
        return true
    }

    private mutating func removeExpired(_ candidates: Set<String>, at now: Runtime.Instant) {
        for name in candidates {
            if let record = records[name], record.expiry <= now { remove(name) }
        }
    }

    private mutating func remove(_ name: String) {
        guard let record = records.removeValue(forKey: name) else { return }
        names[record.principal]?.remove(name)
        if names[record.principal]?.isEmpty == true { names[record.principal] = nil }
    }
}

extension IdempotencyRecords.Record {
    fileprivate mutating func hold(by terms: IdempotencyTerms, from now: Runtime.Instant) {
        let end = now.advanced(by: terms.lease)
        state = .held(until: end)
        expiry = end.advanced(by: terms.lifetime)
    }
}
