#if Redis
public import InterceptorKit
public import InterceptorKitSigning

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A store of used nonces in Redis or Valkey, so that no replica of a service accepts a signature twice.
///
/// ```swift
/// let verifier = MessageSignatureVerifier(keys: keys, nonces: RedisNonceStore(redis))
/// ```
///
/// A nonce is one key, created if it is absent and removed by the server when its time ends. One step and one round
/// trip decide. After a broken connection the command is sent again, and recognised as the same one.
///
/// **When the server is unavailable** the store throws, so that nothing is verified and no replay is accepted.
///
/// **When the server has lost its data**, or the last part of it, it is unknown which nonces were used. The store
/// records in Redis when its history began. Until a nonce's whole lifetime has passed since then, it throws
/// ``RedisError/Code-swift.struct/historyUnknown``. A new server therefore refuses nonces for some minutes, unless
/// `acceptsWithoutHistory`. A restart counts as a loss, because a snapshot (`save`) lacks later changes, unless the
/// server has an append-only file (`appendonly yes`). A server that evicts keys (`maxmemory-policy` other than
/// `noeviction`) is refused, even if it is configured so while it runs or has evicted keys before. The store asks the
/// server again each second that a connection is used.
///
/// Two losses are not detected, and a replay of one of the last nonces then passes once: a machine fails with the last
/// second of its append-only file (`appendfsync everysec`), or a replica with an append-only file becomes the primary
/// before it has the last nonces.
public final class RedisNonceStore: NonceStore {
    private let client: RedisClient
    private let keys: RedisKeys
    private let runtime: Runtime
    private let acceptsWithoutHistory: Bool
    private let acceptsEviction: Bool

    /// Creates a store.
    /// - Parameters:
    ///   - client: The connection to the server.
    ///   - prefix: The prefix of its keys, by which services share their nonces. Defaults to `interceptorkit`.
    ///   - acceptsWithoutHistory: Whether nonces are accepted at once on a server that is new or lost its data. Replays
    ///     of earlier nonces pass too. Defaults to `false`.
    ///   - acceptsEviction: Whether a server may be used that evicts keys when its memory is full. Defaults to `false`.
    ///   - runtime: The random source. Defaults to the live runtime.
    public init(
        _ client: RedisClient,
        prefix: String = "interceptorkit",
        acceptsWithoutHistory: Bool = false,
        acceptsEviction: Bool = false,
        runtime: Runtime = .live
    ) {
        self.client = client
        self.runtime = runtime
        self.acceptsWithoutHistory = acceptsWithoutHistory
        self.acceptsEviction = acceptsEviction
        keys = RedisKeys(prefix: prefix, "nonce")
    }

    /// Records a nonce, by the server's clock.
    /// - Throws: ``RedisError`` if the server cannot tell whether the nonce was used.
    public func note(
        _ nonce: String,
        of keyID: String,
        until expiry: Date,
        at date: Date
    ) async throws -> NonceCheckResult {
        let seconds = expiry.timeIntervalSince(date)
        // NaN counts as zero too.
        let time = Duration.seconds(seconds > 0 ? min(seconds, 3_000_000_000) : 0)
        let token = "\(runtime.random())"
        let reply: RedisClient.Reply
        do {
            reply = try await client.run(
                acceptsWithoutHistory ? Self.trusting : Self.careful,
                [keys.digest(of: keyID, nonce), keys.named("began")]
            ) { facts in
                [
                    .text(token), .text("\(time.wholeMilliseconds)"),
                    .text(facts.volatileRunID ?? ""),
                ]
            }
        } catch let error as RedisError where error.serverCode == "OOM" {
            return .full
        }
        if reply.facts.evictsKeys == true, !acceptsEviction { throw RedisError.evictsKeys() }
        guard let remaining = reply.value.integer else {
            throw RedisError.unexpected("the nonce script")
        }
        if remaining > 0 { throw Self.historyUnknown(.milliseconds(remaining)) }
        return remaining == 0 ? .replayed : .fresh
    }

    // Returns -1 for a fresh nonce, 0 for a used one, and otherwise the milliseconds until the history is long enough.
    // The value identifies the command that recorded the nonce, so that a repetition of that command is fresh again.
    private static let careful = RedisScript(
        """
        local time = redis.call('TIME')
        local now = time[1] * 1000 + math.floor(time[2] / 1000)
        local noted = redis.call('HMGET', KEYS[2], 'time', 'run')
        local began = noted[1]
        if not began or (ARGV[3] ~= '' and ARGV[3] ~= noted[2]) then
            redis.call('HSET', KEYS[2], 'time', string.format('%.0f', now), 'run', ARGV[3])
            began = now
        end
        local wait = began + ARGV[2] - now
        if wait > 0 then return wait end
        \(record)
        """
    )

    private static let trusting = RedisScript(record)

    private static let record = """
        local holder = redis.call('GET', KEYS[1])
        if holder == ARGV[1] then return -1 end
        if holder then return 0 end
        redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
        return -1
        """

    private static func historyUnknown(_ wait: Duration) -> RedisError {
        RedisError(
            .historyUnknown,
            "The Redis server is new, or was restarted and may have lost data, so it does not know which nonces were "
                + "used before. Signatures are refused for another \(wait.formattedSeconds), until those from before have "
                + "expired. Keep its data over restarts (appendonly yes); for a service that never had any, pass "
                + "acceptsWithoutHistory: true.",
            retryAfter: wait
        )
    }
}

extension RedisError {
    /// - Parameter canAccept: Whether the store has a parameter that accepts eviction. Defaults to `true`.
    static func evictsKeys(canAccept: Bool = true) -> RedisError {
        RedisError(
            .evictsKeys,
            "The Redis server removes keys when its memory is full, so what must be remembered can be forgotten. Set "
                + "its maxmemory-policy to noeviction\(canAccept ? ", or pass acceptsEviction: true" : "")."
        )
    }
}

extension RedisNonceStore: CustomStringConvertible {
    /// The store as text, with the server's address.
    public var description: String { "RedisNonceStore(\(client))" }
}
#endif
