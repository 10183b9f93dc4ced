import Expectations
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

@Suite("PartialFile")
struct PartialFileTests {
    private let kept: KeptDownload
    private let folder: Folder

    init() throws {
        kept = try KeptDownload()
        folder = kept.folder
    }

    @Test("reports the step that the system refuses")
    func refused() {
        let file = PartialFile(path: folder["file"], descriptor: -1)

        for (step, problem) in [
            ({ _ = try file.size() }, "measured"), ({ _ = try file.read(at: 0) }, "read"),
            ({ try file.truncate(to: 0) }, "emptied"), ({ try file.sync() }, "written"),
        ] as [(() throws -> Void, String)] {
            let error = #expect(throws: HTTP.TransferError.self) { try step() }
            expectEqual(error?.code, .destinationUnwritable)
            expectEqual(error?.message.contains("cannot be \(problem): "), true)
        }
    }

    @Test(
        "is refused if another user owns it",
        .enabled(if: geteuid() == 0, "needs to give it away")
    )
    func foreign() throws {
        try kept.breakOff()
        unsafe chown(folder["file.partial"], 1, 1)

        let error = try #require(throws: HTTP.TransferError.self) {
            try kept.download(FileServer())
        }

        expectEqual(error.code, .destinationUnwritable)
        expectTrue(error.message.contains("another user"))
        expectEqual(folder.content("file.partial"), Data("01234".utf8))
    }

    @Test("is replaced by a new file if it is a hard link to another file")
    func hardLink() throws {
        try folder.write(Data("precious".utf8), to: "other")
        try FileManager.default.linkItem(atPath: folder["other"], toPath: folder["file.partial"])
        let server = FileServer()

        _ = try kept.download(server)

        expectEqual(server.ranges, [nil])
        expectEqual(folder.content("other"), Data("precious".utf8))
        expectEqual(folder.names, ["file", "other"])
    }

    @Test("is used by one download at a time")
    func busy() throws {
        let path = folder["file"]
        let options = kept.options
        let error = try Simulation.run { simulation in
            let gate = Gate("first")
            let transport = ScriptedTransport<HTTP.Request> { _, _ in
                try await gate.pass()
                return HTTP.Response(body: "content")
            }
            let client = try simulation.client(transport) {}
            let first = client.startDownload(.get(page), to: path, options: options)
            try await gate.waitForArrivals(1)
            let second = client.startDownload(.get(page), to: path, options: options)
            let error = await #expect(throws: HTTP.TransferError.self) {
                _ = try await second.value
            }
            gate.open()
            _ = try await first.value
            return error
        }

        expectEqual(error?.code, .destinationBusy)
        expectEqual(folder.text, "content")
        expectEqual(folder.names, ["file"])
    }

    #if os(Linux)
    @Test("reports a full disk as an error of its own")
    func device() throws {
        let file = PartialFile(path: "/dev/full", descriptor: unsafe open("/dev/full", O_WRONLY))

        let error = #expect(throws: HTTP.TransferError.self) {
            try file.write(Data(count: 10), at: 0)
        }

        expectEqual(error?.code, .diskFull)
        expectEqual(error?.message.contains("No space left"), true)
    }
    #endif
}
