#if Redis
public import InterceptorKitSharedState
import NIOCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A store of idempotency records in Redis or Valkey, which the replicas of a service share.
///
/// ```swift
/// IdempotencyInterceptor(RedisIdempotencyStore(redis))
/// ```
///
/// Each operation is one script: one step, one round trip, by the server's clock. A record is one hash, which
/// the server removes at its end. A sorted set for each principal counts its records.
///
/// **Fencing tokens** are microseconds of the server's clock, or one more than the last token of the store. They grow
/// even after the end of a record, and after a loss of the data unless the clock is set back meanwhile.
///
/// **When the server is unavailable** operations throw, and the interceptor decides. **When it has lost its data**,
/// repeated requests run again; unlike a nonce, most requests are new, and to refuse them all would be an outage. Keep
/// the data over restarts (`appendonly yes`). A server is refused if it evicts keys (`maxmemory-policy` is not
/// `noeviction`).
public final class RedisIdempotencyStore: IdempotencyStore {
    private let client: RedisClient
    private let keys: RedisKeys
    private let acceptsEviction: Bool

    /// Creates a store.
    /// - Parameters:
    ///   - client: The connection to the server.
    ///   - prefix: The prefix of its keys, by which services share their records. Defaults to `interceptorkit`.
    ///   - acceptsEviction: Whether a server may be used that evicts keys when its memory is full. Defaults to `false`.
    public init(
        _ client: RedisClient,
        prefix: String = "interceptorkit",
        acceptsEviction: Bool = false
    ) {
        self.client = client
        self.acceptsEviction = acceptsEviction
        keys = RedisKeys(prefix: prefix, "idempotency")
    }

    public func claim(
        _ key: IdempotencyRecordKey,
        holder: String,
        fingerprint: Data,
        terms: IdempotencyTerms
    ) async throws -> IdempotencyClaim {
        let reply = try await run(
            IdempotencyScripts.claim,
            key,
            [
                .text(holder), .bytes(fingerprint),
                .text("\(terms.lease.wholeMilliseconds)"),
                .text("\(terms.lifetime.wholeMilliseconds)"), .text("\(terms.quota ?? -1)"),
                .text(terms.runsAgain ? "1" : "0"),
            ]
        )
        guard let values = reply.list, values.count == 2, let kind = values[0].string else {
            throw RedisError.unexpected("the claim script")
        }
        switch (kind, values[1]) {
        case ("granted", let token):
            guard let token = token.string.flatMap({ Int64($0) }) else { break }
            return .granted(IdempotencyLease(key: key, token: token))
        case ("completed", .text(let response)):
            return .completed(Data(response.readableBytesView))
        case ("progress", .integer(let left)):
            return .inProgress(remaining: .milliseconds(left))
        case ("quota", .integer(let left)):
            return .quotaExceeded(retryAfter: .milliseconds(left))
        case ("mismatch", _): return .mismatch
        case ("unknown", _): return .outcomeUnknown
        default: break
        }
        throw RedisError.unexpected("the claim script")
    }

    public func extend(_ lease: IdempotencyLease, terms: IdempotencyTerms) async throws -> Bool {
        try await change(
            IdempotencyScripts.extend,
            lease,
            [
                .text("\(terms.lease.wholeMilliseconds)"),
                .text("\(terms.lifetime.wholeMilliseconds)"),
            ]
        )
    }

    public func complete(
        _ lease: IdempotencyLease,
        with response: Data,
        keepingFor lifetime: Duration
    ) async throws -> Bool {
        try await change(
            IdempotencyScripts.complete,
            lease,
            [.bytes(response), .text("\(lifetime.wholeMilliseconds)")]
        )
    }

    public func release(_ lease: IdempotencyLease) async throws -> Bool {
        try await change(IdempotencyScripts.release, lease, [])
    }

    public func abandon(
        _ lease: IdempotencyLease,
        keepingFor lifetime: Duration
    ) async throws -> Bool {
        try await change(
            IdempotencyScripts.abandon,
            lease,
            [.text("\(lifetime.wholeMilliseconds)")]
        )
    }

    private func change(
        _ script: RedisScript,
        _ lease: IdempotencyLease,
        _ arguments: [RedisCommand.Argument]
    ) async throws -> Bool {
        let token = RedisCommand.Argument.text("\(lease.token)")
        let reply = try await run(script, lease.key, [token] + arguments)
        guard let isHeld = reply.integer else { throw RedisError.unexpected("a lease script") }
        return isHeld == 1
    }

    private func run(
        _ script: RedisScript,
        _ key: IdempotencyRecordKey,
        _ arguments: [RedisCommand.Argument]
    ) async throws -> RESPValue {
        let names = [
            keys.named(key.name), keys.named("of:\(key.principalName)"), keys.named("token"),
        ]
        let reply = try await client.run(script, names) { _ in arguments }
        if reply.facts.evictsKeys == true, !acceptsEviction { throw RedisError.evictsKeys() }
        return reply.value
    }
}

extension RedisIdempotencyStore: CustomStringConvertible {
    /// The store as text, with the server's address.
    public var description: String { "RedisIdempotencyStore(\(client))" }
}
#endif
