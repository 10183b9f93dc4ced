import CredentialFleet
import InterceptorKit
import InterceptorKitEtcd
import TestRun
import Testing

@Suite(
    "EtcdCredentialStore, shared by a fleet",
    .tags(.sockets, .process),
    .serializedAcrossSuites,
    .enabled(if: EtcdServer.isInstalled, "etcd is not installed (Debian: etcd-server)"),
    .enabled(if: Fleet.isBuilt, "the worker's program was not built"),
    .timeLimit(.minutes(10))
)
struct EtcdFleetTests {
    private static let key = "fleet/credential"

    private func store(in etcd: EtcdServer) throws -> EtcdCredentialStore {
        try EtcdCredentialStore([etcd.url], key: Self.key, pipeline: etcd.pipeline())
    }

    @Test("uses no refresh token twice when 2 of 8 processes are killed")
    func kills() async throws {
        let etcd = try await EtcdServer()

        try await Fleet.checkKills(
            "etcd",
            store: try store(in: etcd),
            arguments: ["etcd", "\(Self.key)@\(etcd.url)"]
        )
    }

    @Test("fails no call when lock holders are killed that lost no token")
    func harmlessKills() async throws {
        let etcd = try await EtcdServer()

        try await Fleet.checkHarmlessKills(
            "etcd, killed where nothing is lost",
            store: try store(in: etcd),
            arguments: ["etcd", "\(Self.key)@\(etcd.url)"]
        )
    }
}
