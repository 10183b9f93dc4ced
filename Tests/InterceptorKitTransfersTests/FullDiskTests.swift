import Foundation
import InterceptorKitTesting
import TestSupport
import Testing

@testable import InterceptorKit
@testable import InterceptorKitTransfers

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

@Suite("A full disk")
struct FullDiskTests {
    #if os(Linux)
    @Test("is reported as an error of its own when a file is written")
    func device() throws {
        let file = PartialFile(path: "/dev/full", descriptor: unsafe open("/dev/full", O_WRONLY))

        let error = #expect(throws: HTTP.TransferError.self) {
            try file.write(Data(count: 10), at: 0)
        }

        #expect(error?.code == .diskFull)
        #expect(error?.message.contains("No space left") == true)
    }

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

        #expect(error.code == .diskFull)
        #expect(server.requests.count == 1)
        #expect(disk.folder.names == (keepsPartial ? ["file.partial", "file.partial.json"] : []))
    }

    @Test(
        "leaves no partial record of a kept part's version",
        .enabled(if: SmallDisk.isPossible, "Only root may mount a small file system.")
    )
    func record() throws {
        let disk = try SmallDisk()
        defer { disk.unmount() }
        let date = Simulation.startDate
        let answer = HTTP.Response(200, headers: ["ETag": "\"1\""], body: "0123456789")
        let version = try #require(ContentVersion(of: answer, to: .get(page), date: date))
        let record = KeptRecord(for: try DownloadDestination(disk.folder["file"]), resource: "a")
        disk.fill()

        let error = #expect(throws: HTTP.TransferError.self) { try record.write(version) }

        #expect(error?.code == .diskFull)
        #expect(disk.folder.names == ["filling"])
    }
    #endif
}
