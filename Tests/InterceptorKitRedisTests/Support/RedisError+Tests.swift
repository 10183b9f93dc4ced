#if Redis
@testable import InterceptorKitRedis

/// The error that an operation fails with, if it is one of Redis.
func redisError(_ body: () async throws -> Any) async -> RedisError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? RedisError
    }
}

extension RedisClient {
    /// Makes the server one that has recorded nonces for long.
    func backdateNonces() async throws {
        let facts = RedisServerFacts(info: try await send("INFO").string ?? "")
        let key = "interceptorkit:nonce:began"
        _ = try await send("HSET", key, "time", "1700000000000", "run", facts.volatileRunID ?? "")
    }
}
#endif
