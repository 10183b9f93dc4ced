import CredentialFleet
import InterceptorKit
import InterceptorKitEtcd
import Testing

@Suite(
    "EtcdCredentialStore, shared by a fleet",
    .enabled(if: EtcdServer.isInstalled, "etcd is not installed (Debian: etcd-server)"),
    .enabled(if: Fleet.isBuilt, "the worker's program was not built")
)
struct EtcdFleetTests {
    @Test(
        "has 8 processes renew once each time, and never use a refresh token twice, though 2 are killed",
        .timeLimit(.minutes(4))
    )
    func fleet() async throws {
        let etcd = try await EtcdServer()
        let server = try TokenServer(usesPerToken: 40, kills: [5, 12])
        let store = try EtcdCredentialStore(
            [etcd.url],
            key: "fleet/credential",
            pipeline: etcd.pipeline()
        )

        let fleet = Fleet(
            store: store,
            arguments: ["etcd", "fleet/credential@\(etcd.url)"],
            server: server
        )
        let report = try await fleet.run()

        print(
            "fleet on etcd: \(report.refreshes) refreshes, \(report.rotations) rotations, "
                + "\(report.reused) reused, \(report.killed.count) killed, \(report.signIns) sign-ins, "
                + "\(report.finished.count) finished"
        )
        #expect(report.refreshes == report.rotations)
        #expect(report.refreshes >= 24)
        #expect(report.reused == 0)
        #expect(report.killed.count == 2)
        #expect(report.signIns == 3)
        #expect(report.problems == ["refreshOutcomeUnknown"])
        #expect(report.finished.count == 6)
        #expect(report.finished.allSatisfy { report.served[$0] == 200 })
        let kept = try await store.load()?.credential.refreshToken
        #expect(kept == report.lastRefreshToken)
    }
}
