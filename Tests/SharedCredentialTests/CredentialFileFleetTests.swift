import CredentialFleet
import Foundation
import InterceptorKit
import InterceptorKitAuthentication
import TestRun
import Testing

@Suite(
    "CredentialFile, shared by processes",
    .tags(.sockets, .process),
    .serializedAcrossSuites,
    .enabled(if: Fleet.isBuilt, "the worker's program was not built"),
    .timeLimit(.minutes(10))
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

    @Test("uses no refresh token twice when 2 of 8 processes are killed")
    func kills() async throws {
        try await Fleet.checkKills(
            "a file",
            store: CredentialFile(path),
            arguments: ["file", path]
        )
    }

    @Test("fails no call when lock holders are killed that lost no token")
    func harmlessKills() async throws {
        try await Fleet.checkHarmlessKills(
            "a file, killed where nothing is lost",
            store: CredentialFile(path),
            arguments: ["file", path]
        )
    }
}
