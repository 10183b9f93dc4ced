#if Redis
import InterceptorKitRedis

/// The error that an operation fails with, if it is one of Redis.
func redisError(_ body: () async throws -> Any) async -> RedisError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? RedisError
    }
}
#endif
