import Foundation
import InterceptorKitTesting
import Testing

@testable import InterceptorKit

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
    @Test("is an error of its own for whoever writes")
    func device() throws {
        let file = PartialFile(path: "/dev/full", descriptor: unsafe open("/dev/full", O_WRONLY))

        let error = #expect(throws: HTTP.TransferError.self) {
            try file.write(Data(count: 10), at: 0)
        }

        #expect(error?.code == .diskFull)
        #expect(error?.message.contains("No space left") == true)
    }

    @Test(
        "fails a download and leaves nothing of it",
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
    #endif
}

#if os(Linux)
/// A file system of 64 KiB.
private struct SmallDisk {
    static let isPossible: Bool = {
        guard let disk = try? SmallDisk() else { return false }
        disk.unmount()
        return true
    }()

    let folder: Folder

    init() throws {
        folder = try Folder()
        guard unsafe mount("none", folder.path, "tmpfs", 0, "size=64k") == 0 else {
            throw CocoaError(.fileWriteUnknown)
        }
    }

    func unmount() { unsafe umount(folder.path) }
}
#endif
