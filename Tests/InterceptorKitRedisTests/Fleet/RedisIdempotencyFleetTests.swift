#if Redis
import Expectations
import IdempotencyFleet
import InterceptorKit
import TestRun
import Testing

@Suite(
    "RedisIdempotencyStore, shared by a fleet",
    .tags(.sockets, .process),
    .serializedAcrossSuites,
    .enabled(if: RedisServer.isInstalled, Comment(rawValue: RedisServer.reason)),
    .enabled(if: IdempotencyFleet.isBuilt, "the worker's program was not built"),
    .timeLimit(.minutes(60))
)
struct RedisIdempotencyFleetTests {
    @Test("runs each order once while replicas are killed and Redis restarts")
    func kills() async throws {
        let server = try await RedisServer(keepsData: true)
        let fleet = IdempotencyFleet(
            arguments: ["redis", server.url],
            kills: killCount,
            restarts: max(1, killCount / 20)
        ) {
            try await server.restart()
        }

        let report = try await fleet.run()

        print("\(report.summary) (redis, \(report.restarts) restarts)")
        expectTrue(report.kills >= killCount)
        expectEqual(report.restarts, max(1, killCount / 20))
        expectEqual(report.recordedTwice, 0, "\(report)")
        expectEqual(report.effectsTwice, 0, "\(report)")
        expectEqual(report.stuck, 0, "\(report)")
        expectEqual(report.failures, [], "\(report)")
    }
}
#endif
