#if Redis
/// The operations of a ``RedisCredentialStore``. Each is one step of the server that may be carried out twice.
///
/// A record has the fields `credential`, `sha256` (of the credential), `version`, `token` (the digest of its refresh
/// token) and, once the refresh token is about to be sent, `writer`.
enum CredentialScripts {
    static let load = RedisScript(
        """
        local record = redis.call('HMGET', KEYS[1], 'credential', 'sha256', 'version')
        if not record[1] then return false end
        return {record[1], record[2] or '', record[3] or ''}
        """
    )

    // A version is the time in microseconds, so it never repeats, even after the server lost its data.
    static let save = RedisScript(
        """
        local record = redis.call('HMGET', KEYS[1], 'credential', 'sha256', 'version')
        if (record[1] and record[3] or '') ~= ARGV[1] then
            if record[2] == ARGV[3] then return record[3] end
            return false
        end
        local time = redis.call('TIME')
        local version = time[1] * 1000000 + time[2]
        local last = tonumber(record[3] or 0)
        if version <= last then version = last + 1 end
        version = string.format('%.0f', version)
        redis.call('HSET', KEYS[1], 'credential', ARGV[2], 'sha256', ARGV[3], 'token', ARGV[4], 'version', version)
        redis.call('HDEL', KEYS[1], 'writer')
        return version
        """
    )

    static let clear = RedisScript("return redis.call('DEL', KEYS[1])")

    static let recordUse = RedisScript(
        """
        local record = redis.call('HMGET', KEYS[1], 'token', 'writer')
        if record[1] ~= ARGV[1] then return 'superseded' end
        if record[2] then return record[2] == ARGV[2] and 'noted' or 'used' end
        redis.call('HSET', KEYS[1], 'writer', ARGV[2])
        return 'noted'
        """
    )

    static let withdrawUse = RedisScript(
        """
        if redis.call('HGET', KEYS[1], 'token') == ARGV[1] then redis.call('HDEL', KEYS[1], 'writer') end
        return 1
        """
    )

    static let lock = RedisScript(
        """
        local holder = redis.call('GET', KEYS[1])
        if holder and holder ~= ARGV[1] then return 0 end
        redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
        return 1
        """
    )

    static let extendLock = RedisScript(
        """
        if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
        return redis.call('PEXPIRE', KEYS[1], ARGV[2])
        """
    )

    static let unlock = RedisScript(
        """
        if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
        return redis.call('DEL', KEYS[1])
        """
    )
}
#endif
