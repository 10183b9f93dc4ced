#if Redis
import InterceptorKit
public import InterceptorKitSharedState

/// A store of rate limits in Redis or Valkey, which the replicas of a service share.
///
/// ```swift
/// SharedRateLimitInterceptor(
///     RedisRateLimitStore(redis),
///     quota: RateLimitQuota(100, per: .seconds(1))
/// )
/// ```
///
/// A script decides in one step and one round trip, by the server's clock. A limit is one key, whose value is the time
/// at which the limit is full again; the server removes it then.
///
/// A decision whose reply is lost is repeated and may then count twice, so it never admits more. When the server loses
/// its data, each limit starts full and admits one more `burst`. When its clock is set back, a limit refuses for at
/// most the time of its burst and `RateLimitQuota.longestWait`.
public final class RedisRateLimitStore: RateLimitStore {
    private let client: RedisClient
    private let keys: RedisKeys

    /// Creates a store.
    /// - Parameters:
    ///   - client: The connection to the server.
    ///   - prefix: The prefix of its keys, by which services share their limits. Defaults to `interceptorkit`.
    public init(_ client: RedisClient, prefix: String = "interceptorkit") {
        self.client = client
        keys = RedisKeys(prefix: prefix, "rate")
    }

    public func take(
        _ permits: Int,
        of quota: RateLimitQuota,
        for key: String,
        waitingAtMost wait: Duration
    ) async throws -> RateLimitDecision {
        try quota.check(permits)
        let reply = try await client.run(Self.script, [keys.digest(of: key)]) { _ in
            Self.arguments(permits, quota, wait)
        }
        guard let values = reply.value.list, values.count == 3, let isAdmitted = values[0].integer,
            let delay = values[1].integer, let remaining = values[2].integer
        else { throw RedisError.unexpected("the rate limit script") }
        return isAdmitted == 1
            ? .admitted(after: .microseconds(max(0, delay)), remaining: Int(clamping: remaining))
            : .rejected(retryAfter: .microseconds(max(0, delay)))
    }

    static func arguments(
        _ permits: Int,
        _ quota: RateLimitQuota,
        _ wait: Duration
    ) -> [RedisCommand.Argument] {
        let interval = quota.period / .microseconds(1) / Double(quota.count)
        let patience = min(max(wait, .zero), RateLimitQuota.longestWait) / .microseconds(1)
        return [
            number(interval), number(interval * Double(quota.burst)),
            number(interval * Double(permits)), number(patience),
        ]
    }

    // Most numbers are whole, and those are formatted faster as integers.
    private static func number(_ value: Double) -> RedisCommand.Argument {
        .text(Int64(exactly: value).map { String($0) } ?? String(value))
    }

    // GCRA (ITU-T I.371). `full` is the theoretical arrival time, at which the limit has all its permits again.
    // Microseconds are counted from 2023, so that a double has room for fractions.
    static let script = RedisScript(
        """
        local time = redis.call('TIME')
        local now = (time[1] - 1700000000) * 1000000 + time[2]
        local tolerance = tonumber(ARGV[2])
        local full = tonumber(redis.call('GET', KEYS[1]) or now)
        if full < now then full = now end
        if full > now + tolerance + \(RateLimitQuota.longestWait / .microseconds(1)) then
            full = now + tolerance
        end
        local later = full + ARGV[3]
        local delay = later - tolerance - now
        if delay > tonumber(ARGV[4]) then return {0, math.ceil(delay), 0} end
        redis.call('SET', KEYS[1], string.format('%.3f', later), 'PX', math.ceil((later - now) / 1000) + 1)
        local left = math.floor((now + tolerance - later) / ARGV[1] + 0.000001)
        return {1, math.max(0, math.ceil(delay)), math.max(0, left)}
        """
    )
}

extension RedisRateLimitStore: CustomStringConvertible {
    /// The store as text, with the server's address.
    public var description: String { "RedisRateLimitStore(\(client))" }
}
#endif
