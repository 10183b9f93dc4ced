import Expectations
import InterceptorKit
import InterceptorKitTesting
import InterceptorKitTransfers
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("A download into a folder")
struct DownloadPlaceTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func download(
        _ server: FileServer,
        _ options: HTTP.DownloadOptions = HTTP.DownloadOptions(),
        name: @escaping @Sendable (HTTP.Response) throws -> String = {
            $0.suggestedFilename ?? "download"
        }
    ) throws -> HTTP.DownloadedFile {
        let path = folder.path
        return try Simulation.run { simulation in
            try await simulation.client(server.transport) {}
                .download(.get(page), into: path, options: options, name: name)
        }
    }

    @Test("is named by the server's suggestion, or else by the URL")
    func suggested() throws {
        let named = FileServer("0123456789", ["Content-Disposition": "attachment; filename=a.bin"])

        let first = try download(named)
        let second = try download(FileServer())

        expectEqual(first.path, folder["a.bin"])
        expectEqual(second.path, folder["file"])
        expectEqual(folder.names.sorted(), ["a.bin", "file"])
        expectEqual(folder.content("a.bin"), Data("0123456789".utf8))
    }

    @Test("is named by a closure that sees the response")
    func chosen() throws {
        let file = try download(FileServer()) { response in "status-\(response.status.code)" }

        expectEqual(file.path, folder["status-200"])
        expectEqual(folder.names, ["status-200"])
    }

    @Test(
        "refuses a name that isn't one component",
        arguments: ["", ".", "..", "a/b", "../a", "a\0"]
    )
    func refused(name: String) throws {
        let error = try #require(throws: HTTP.TransferError.self) {
            try download(FileServer()) { _ in name }
        }

        expectEqual(error.code, .destinationUnwritable)
        expectTrue(folder.names.isEmpty)
    }

    @Test("throws what the closure throws, and leaves nothing")
    func thrown() throws {
        #expect(throws: Problem.self) { try download(FileServer()) { _ in throw Problem() } }

        expectTrue(folder.names.isEmpty)
    }

    @Test("goes on with the part that an earlier call kept")
    func resumed() throws {
        var options = HTTP.DownloadOptions()
        options.keepsPartial = true
        options.resumptions = 0
        let headers: HTTP.Headers = [
            "ETag": #""v1""#, "Content-Disposition": "attachment; filename=a.bin",
        ]
        let server = FileServer(headers: headers, faults: [.lost(after: 4)])

        #expect(throws: HTTP.TransferError.self) { try download(server, options) }
        let kept = folder.names
        let file = try download(server, options)

        expectTrue(kept.allSatisfy { $0.hasPrefix(".download-") })
        expectEqual(file.path, folder["a.bin"])
        expectEqual(file.resumptions, 1)
        expectEqual(folder.names, ["a.bin"])
        expectEqual(folder.content("a.bin"), Data("0123456789".utf8))
    }
}
