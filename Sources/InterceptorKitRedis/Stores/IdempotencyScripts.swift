#if Redis
/// The operations of a ``RedisIdempotencyStore``. Each is one step of the server.
///
/// The keys are the record, the set of the principal's records by expiry, and the last token. A record has the fields
/// `holder`, `print` (the fingerprint), `token`, `until` (the lease's end in milliseconds) and, once completed,
/// `response`.
enum IdempotencyScripts {
    // The key of the last token never expires, so that tokens keep growing if the clock is set back.
    static let claim = RedisScript(
        """
        \(clock)
        local holder, print, lease, lifetime = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
        local record = redis.call('HMGET', KEYS[1], 'holder', 'print', 'token', 'until', 'response')
        if record[1] then
            if record[2] ~= print then return {'mismatch', 0} end
            if record[5] then return {'completed', record[5]} end
            local left = record[4] - now
            if left > 0 and record[1] ~= holder then return {'progress', left} end
            if left > 0 then
                redis.call('HSET', KEYS[1], 'until', text(now + lease))
                expire(now + lease + lifetime)
                return {'granted', record[3]}
            end
            if ARGV[6] ~= '1' then return {'unknown', 0} end
        elseif tonumber(ARGV[5]) >= 0 then
            redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', text(now))
            if redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[5]) then
                local first = redis.call('ZRANGE', KEYS[2], 0, 0, 'WITHSCORES')
                return {'quota', math.max(1, (tonumber(first[2] or now)) - now)}
            end
        end
        local token = time[1] * 1000000 + time[2]
        local last = tonumber(redis.call('GET', KEYS[3]) or 0)
        if token <= last then token = last + 1 end
        redis.call('SET', KEYS[3], text(token))
        redis.call('HSET', KEYS[1], 'holder', holder, 'print', print, 'token', text(token), 'until', text(now + lease))
        expire(now + lease + lifetime)
        return {'granted', text(token)}
        """
    )

    static let extend = RedisScript(
        """
        \(clock)
        \(held)
        redis.call('HSET', KEYS[1], 'until', text(now + ARGV[2]))
        expire(now + ARGV[2] + ARGV[3])
        return 1
        """
    )

    static let complete = RedisScript(
        """
        \(clock)
        local record = redis.call('HMGET', KEYS[1], 'token', 'until', 'response')
        if record[1] ~= ARGV[1] then return 0 end
        if record[3] then return 1 end
        if tonumber(record[2]) <= now then return 0 end
        redis.call('HSET', KEYS[1], 'response', ARGV[2])
        expire(now + ARGV[3])
        return 1
        """
    )

    static let release = RedisScript(
        """
        \(clock)
        \(held)
        redis.call('DEL', KEYS[1])
        redis.call('ZREM', KEYS[2], KEYS[1])
        return 1
        """
    )

    static let abandon = RedisScript(
        """
        \(clock)
        \(held)
        redis.call('HSET', KEYS[1], 'until', text(now))
        expire(now + ARGV[2])
        return 1
        """
    )

    // The set of a principal lives as long as the last of its records.
    private static let clock = """
        local time = redis.call('TIME')
        local now = time[1] * 1000 + math.floor(time[2] / 1000)
        local function text(number) return string.format('%.0f', number) end
        local function expire(at)
            redis.call('PEXPIREAT', KEYS[1], text(at))
            redis.call('ZADD', KEYS[2], text(at), KEYS[1])
            local last = redis.call('ZRANGE', KEYS[2], -1, -1, 'WITHSCORES')
            redis.call('PEXPIREAT', KEYS[2], text(tonumber(last[2])))
        end
        """

    private static let held = """
        local record = redis.call('HMGET', KEYS[1], 'token', 'until', 'response')
        if record[1] ~= ARGV[1] or record[3] or tonumber(record[2]) <= now then return 0 end
        """
}
#endif
