#if Redis
import Expectations
import InterceptorKitConformance
import TestRun
import Testing

@testable import InterceptorKitRedis

@Suite(
    "Stores in Redis, conformance",
    .tags(.sockets, .process),
    .serializedAcrossSuites,
    .enabled(if: RedisServer.isInstalled, Comment(rawValue: RedisServer.reason)),
    .timeLimit(.minutes(10))
)
struct RedisConformanceTests {
    @Test("meet every requirement")
    func conformance() async throws {
        let server = try await RedisServer()

        let client = try server.client()
        let stores = StoreConformance.Stores(
            idempotency: RedisIdempotencyStore(client),
            nonces: RedisNonceStore(client, acceptsWithoutHistory: true),
            rateLimits: RedisRateLimitStore(client)
        )

        let report = await StoreConformance.run(against: "redis") { stores }

        print(report)
        expectTrue(report.isConformant)
    }
}
#endif
