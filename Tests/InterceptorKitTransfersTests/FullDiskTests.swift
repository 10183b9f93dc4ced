import Expectations
import InterceptorKitTesting
import TestSupport
import Testing

@testable import InterceptorKit
@testable import InterceptorKitTransfers

@Suite("A full disk")
struct FullDiskTests {
    #if os(Linux)
    @Test(
        "fails a download and leaves no file",
        .enabled(if: SmallDisk.isPossible, "Only root may mount a small file system."),
        arguments: [false, true]
    )
    func small(keepsPartial: Bool) throws {
        let disk = try SmallDisk()
        defer { disk.unmount() }
        let path = disk.folder["file"]
        var options = HTTP.DownloadOptions()
        options.keepsPartial = keepsPartial
        let server = FileServer(String(repeating: "x", count: 200_000))

        let error = try #require(throws: HTTP.TransferError.self) {
            try Simulation.run { [options] simulation in
                try await simulation.client(server.transport) {}
                    .download(.get(page), to: path, options: options)
            }
        }

        expectEqual(error.code, .diskFull)
        expectEqual(server.requests.count, 1)
        // The record of so short a part found no room.
        expectEqual(disk.folder.names, [])
    }
    #endif
}
