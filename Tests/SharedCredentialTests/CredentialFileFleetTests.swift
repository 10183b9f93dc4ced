import CredentialFleet
import Foundation
import InterceptorKit
import Testing

@Suite("CredentialFile, shared by processes")
struct CredentialFileFleetTests {
    @Test(
        "has 8 processes renew once each time, and never use a refresh token twice, though 2 are killed",
        .enabled(if: Fleet.isBuilt, "the worker's program was not built"),
        .timeLimit(.minutes(4))
    )
    func fleet() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "interceptorkit-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "credential").path
        let server = try TokenServer(usesPerToken: 40, kills: [5, 12])
        let store = CredentialFile(path)

        let fleet = Fleet(store: store, arguments: ["file", path], server: server)
        let report = try await fleet.run()

        print(
            "fleet on a file: \(report.refreshes) refreshes, \(report.rotations) rotations, "
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
