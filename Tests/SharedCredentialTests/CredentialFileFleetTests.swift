import CredentialFleet
import Foundation
import InterceptorKit
import Testing

@Suite(
    "CredentialFile, shared by processes",
    .enabled(if: Fleet.isBuilt, "the worker's program was not built"),
    .timeLimit(.minutes(4))
)
final class CredentialFileFleetTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "interceptorkit-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private var path: String { folder.appending(path: "credential").path }

    @Test(
        "has 8 processes renew once each time, and never use a refresh token twice, though 2 are killed"
    )
    func kills() async throws {
        try await Fleet.checkKills(
            "a file",
            store: CredentialFile(path),
            arguments: ["file", path]
        )
    }

    @Test("fails no call when processes are killed that hold its lock, and have lost nothing")
    func harmlessKills() async throws {
        try await Fleet.checkHarmlessKills(
            "a file, killed where nothing is lost",
            store: CredentialFile(path),
            arguments: ["file", path]
        )
    }
}
