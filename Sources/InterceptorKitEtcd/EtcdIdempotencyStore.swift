public import InterceptorKit
public import InterceptorKitSharedState

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A store of idempotency records in etcd, for the replicas of a service.
///
/// ```swift
/// let store = try EtcdIdempotencyStore(
///     "orders/idempotency",
///     of: ["https://etcd-1.example.com:2379", "https://etcd-2.example.com:2379"],
///     pipeline: try Pipeline(transport: transport) {}
/// )
/// ```
///
/// A holder's entry has an etcd lease, so the cluster's clock decides when it ends, and a transaction on its revision
/// decides who may record a response. The fencing token is the revision of the claim. An acknowledged record is on a
/// majority of the members.
///
/// - **Whole seconds.** Leases of etcd have whole seconds, and at least one and a half election timeouts, 2 s with
///   etcd's defaults. Times are rounded up.
/// - **Requests.** A claim takes four requests, an extension three and a completion four. For hundreds of orders per
///   second, use another store.
/// - **Sizes.** A value in etcd may have 1.5 MiB by default, and a response of the gateway 1 MiB here: keep
///   `IdempotencyPolicy.responseLimit` under 700 KiB.
/// - **Quota.** Simultaneous claims of one principal may together exceed the quota.
/// - **Snapshots.** A cluster that is restored from a snapshot has an older revision. Restore it with `--bump-revision`
///   and `--mark-compacted`, or tokens are smaller than those that a database has seen.
///
/// Responses are stored unencrypted. Give the prefix its own user, and use TLS.
public struct EtcdIdempotencyStore: IdempotencyStore {
    /// The number of attempts at a claim, each of which another holder may win.
    private static let tries = 10

    private let prefix: String
    private let gateway: EtcdGateway

    /// Creates a store.
    /// - Parameters:
    ///   - prefix: The prefix of the keys, before `/records/` and `/holders/`.
    ///   - members: The members of the cluster. If one cannot be reached, the next is asked.
    ///   - pipeline: The chain for the requests, with TLS and access control as needed, without an error filter.
    ///   - timeout: The longest time for a request to one member. Defaults to 500 ms, so that a second member can be
    ///     asked within an interceptor's timeout for the store.
    ///   - runtime: The clock of timeouts. Defaults to the live runtime.
    /// - Throws: `SettingError` for invalid settings.
    public init(
        _ prefix: String,
        of members: [HTTP.URL],
        pipeline: Pipeline<HTTP.Request>,
        timeout: Duration = .milliseconds(500),
        runtime: Runtime = .live
    ) throws(SettingError) {
        gateway = try EtcdGateway(
            of: "EtcdIdempotencyStore",
            members: members,
            prefix: prefix,
            pipeline: pipeline,
            timeout: timeout,
            runtime: runtime
        )
        self.prefix = prefix
    }

    public func claim(
        _ key: IdempotencyRecordKey,
        holder: String,
        fingerprint: Data,
        terms: IdempotencyTerms
    ) async throws -> IdempotencyClaim {
        for _ in 0..<Self.tries {
            let state = try await state(of: key)
            if let found = state.record {
                if let claim = try await claim(found, state, key, holder, fingerprint, terms) {
                    return claim
                }
            } else if let refusal = try await refusal(of: key, terms) {
                return refusal
            }
            if let lease = try await take(key, in: state, holder, fingerprint, terms) {
                return .granted(lease)
            }
        }
        throw StoreError(
            .unreachable,
            "Other holders changed the record in etcd \(Self.tries) times while it was claimed. Try again."
        )
    }

    /// - Returns: The result of claiming a key with a record; `nil` if the key may be taken.
    private func claim(
        _ record: EtcdIdempotencyRecord,
        _ state: EtcdIdempotencyState,
        _ key: IdempotencyRecordKey,
        _ holder: String,
        _ fingerprint: Data,
        _ terms: IdempotencyTerms
    ) async throws -> IdempotencyClaim? {
        guard record.head.fingerprint == fingerprint else { return .mismatch }
        if record.head.token != nil { return .completed(record.response) }
        guard let current = state.holder else { return terms.runsAgain ? nil : .outcomeUnknown }
        guard current.value == Data(holder.utf8) else {
            let left = try await gateway.timeLeft(of: current.lease ?? EtcdNumber(0))
            return .inProgress(remaining: left)
        }
        let lease = IdempotencyLease(key: key, token: current.modified.value)
        return try await extend(lease, terms: terms) ? .granted(lease) : .outcomeUnknown
    }

    private func refusal(
        of key: IdempotencyRecordKey,
        _ terms: IdempotencyTerms
    ) async throws -> IdempotencyClaim? {
        guard let quota = terms.quota else { return nil }
        let range = EtcdRange.oldest(prefix: "\(prefix)/records/\(key.principalName)/")
        let found = try await gateway.transact(EtcdTransaction(success: [.range(range)]))
        guard let records = found.responses?.first?.range,
            records.count?.value ?? 0 >= Int64(quota)
        else { return nil }
        let oldest = records.kvs?.first?.lease ?? EtcdNumber(0)
        return .quotaExceeded(retryAfter: try await gateway.timeLeft(of: oldest))
    }

    /// Takes a key without a holder; returns `nil` if it has changed meanwhile.
    private func take(
        _ key: IdempotencyRecordKey,
        in state: EtcdIdempotencyState,
        _ holder: String,
        _ fingerprint: Data,
        _ terms: IdempotencyTerms
    ) async throws -> IdempotencyLease? {
        let holderLease = try await gateway.grantLease(ofAtLeast: terms.lease)
        let recordLease = try await gateway.grantLease(ofAtLeast: terms.lease + terms.lifetime)
        let value = try EtcdIdempotencyRecord(fingerprint: fingerprint).value()
        let result = try await gateway.transact(
            EtcdTransaction(
                compare: [
                    .init(key: recordKey(key), revision: state.entry?.modified ?? EtcdNumber(0)),
                    .init(key: holderKey(key), revision: EtcdNumber(0)),
                ],
                success: [
                    .put(recordKey(key), value, lease: recordLease),
                    .put(holderKey(key), Data(holder.utf8), lease: holderLease),
                ],
                failure: [.range(holderKey(key))]
            )
        )
        if result.succeeded == true {
            if let replaced = state.entry?.lease { try? await gateway.revoke(replaced) }
            return IdempotencyLease(key: key, token: result.header.revision.value)
        }
        // A request whose response was lost may already have taken the key for us.
        if let taken = result.entries.first.flatMap(\.self), taken.value == Data(holder.utf8) {
            return IdempotencyLease(key: key, token: taken.modified.value)
        }
        try? await gateway.revoke(holderLease)
        try? await gateway.revoke(recordLease)
        return nil
    }

    public func extend(_ lease: IdempotencyLease, terms: IdempotencyTerms) async throws -> Bool {
        let state = try await state(of: lease.key)
        guard state.isHeld(by: lease), let holderLease = state.holder?.lease,
            let recordLease = state.entry?.lease
        else { return false }
        // The record is extended first, so that it never ends before its holder.
        _ = try await gateway.keepAlive(recordLease)
        return try await gateway.keepAlive(holderLease)
    }

    public func complete(
        _ lease: IdempotencyLease,
        with response: Data,
        keepingFor lifetime: Duration
    ) async throws -> Bool {
        try await end(lease, keepingFor: lifetime, with: response)
    }

    public func abandon(
        _ lease: IdempotencyLease,
        keepingFor lifetime: Duration
    ) async throws -> Bool {
        try await end(lease, keepingFor: lifetime, with: nil)
    }

    /// Ends a lease that is still held, with a response, or without one, which leaves a record that nobody holds.
    private func end(
        _ lease: IdempotencyLease,
        keepingFor lifetime: Duration,
        with response: Data?
    ) async throws -> Bool {
        let state = try await state(of: lease.key)
        // A request whose response was lost may already have recorded it.
        if response != nil, state.record?.head.token == lease.token { return true }
        guard state.isHeld(by: lease), var record = state.record else { return false }
        if let response {
            record.head.token = lease.token
            record.response = response
        }
        let recordLease = try await gateway.grantLease(ofAtLeast: lifetime)
        let result = try await gateway.transact(
            EtcdTransaction(
                compare: [.init(key: holderKey(lease.key), revision: EtcdNumber(lease.token))],
                success: [
                    .put(recordKey(lease.key), try record.value(), lease: recordLease),
                    .delete(holderKey(lease.key)),
                ],
                failure: [.range(recordKey(lease.key))]
            )
        )
        if result.succeeded == true {
            if let replaced = state.entry?.lease { try? await gateway.revoke(replaced) }
            return true
        }
        let found = try EtcdIdempotencyState(result.entries)
        // A request whose response was lost has already done this.
        if found.entry?.lease == recordLease { return true }
        try? await gateway.revoke(recordLease)
        return response != nil && found.record?.head.token == lease.token
    }

    public func release(_ lease: IdempotencyLease) async throws -> Bool {
        let state = try await state(of: lease.key)
        guard state.isHeld(by: lease) else { return false }
        let result = try await gateway.transact(
            EtcdTransaction(
                compare: [
                    .init(key: holderKey(lease.key), revision: EtcdNumber(lease.token))
                ],
                success: [.delete(recordKey(lease.key)), .delete(holderKey(lease.key))]
            )
        )
        for unused in [state.entry?.lease, state.holder?.lease] {
            if let unused, result.succeeded == true { try? await gateway.revoke(unused) }
        }
        return result.succeeded == true
    }

    private func state(of key: IdempotencyRecordKey) async throws -> EtcdIdempotencyState {
        let found = try await gateway.transact(
            EtcdTransaction(success: [.range(recordKey(key)), .range(holderKey(key))])
        )
        return try EtcdIdempotencyState(found.entries)
    }

    private func recordKey(_ key: IdempotencyRecordKey) -> Data {
        Data("\(prefix)/records/\(key.principalName)/\(key.name)".utf8)
    }

    private func holderKey(_ key: IdempotencyRecordKey) -> Data {
        Data("\(prefix)/holders/\(key.name)".utf8)
    }
}

extension EtcdIdempotencyStore: CustomStringConvertible {
    /// The store's prefix.
    public var description: String { "EtcdIdempotencyStore(\(prefix))" }
}

extension EtcdIdempotencyStore: CustomReflectable {
    /// The description, so that `dump` and debuggers show no credential of the pipeline.
    public var customMirror: Mirror { Mirror(self, children: ["store": description]) }
}
