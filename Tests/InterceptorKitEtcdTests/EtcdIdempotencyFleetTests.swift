import Expectations
import IdempotencyFleet
import InterceptorKit
import TestRun
import Testing

@Suite(
    "EtcdIdempotencyStore, shared by a fleet",
    .tags(.sockets, .process),
    .serializedAcrossSuites,
    .enabled(if: EtcdServer.isInstalled, "etcd is not installed (Debian: etcd-server)"),
    .enabled(if: IdempotencyFleet.isBuilt, "the worker's program was not built"),
    .timeLimit(.minutes(60))
)
struct EtcdIdempotencyFleetTests {
    @Test("runs each order once while replicas are killed and etcd restarts")
    func kills() async throws {
        let etcd = try await EtcdServer()
        let fleet = IdempotencyFleet(
            arguments: ["etcd", "fleet/idempotency@\(etcd.url)"],
            kills: killCount,
            restarts: max(1, killCount / 20)
        ) {
            try await etcd.restart()
        }

        let report = try await fleet.run()

        print("\(report.summary) (etcd, \(report.restarts) restarts)")
        expectTrue(report.kills >= killCount)
        expectEqual(report.restarts, max(1, killCount / 20))
        expectEqual(report.recordedTwice, 0, "\(report)")
        expectEqual(report.effectsTwice, 0, "\(report)")
        expectEqual(report.stuck, 0, "\(report)")
        expectTrue(report.orders >= 32, "\(report)")
        expectEqual(report.failures, [], "\(report)")
    }
}
