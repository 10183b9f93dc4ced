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
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

@Suite("PartialDownload, kept for a later call")
struct PartialDownloadTests {
    private let kept: KeptDownload
    private let folder: Folder

    init() throws {
        kept = try KeptDownload()
        folder = kept.folder
    }

    @Test("is resumed by the next call, and then removed")
    func goesOn() throws {
        try kept.breakOff()
        let left = folder.names
        let server = FileServer()

        let file = try kept.download(server)

        expectEqual(left, ["file.partial", "file.partial.json"])
        expectEqual(server.ranges, ["bytes=5-"])
        expectEqual(file.resumptions, 1)
        expectEqual(file.byteCount, 10)
        expectEqual(folder.text, "0123456789")
        expectEqual(folder.names, ["file"])
    }

    @Test("counts for the checksum")
    func checksum() throws {
        try kept.breakOff()
        var options = kept.options
        options.expectedChecksum = HTTP.Checksum(of: "0123456789".utf8)

        let file = try kept.download(FileServer(), page, options)

        expectEqual(file.checksum, options.expectedChecksum)
    }

    @Test("is replaced when the content has changed")
    func changed() throws {
        try kept.breakOff()
        let server = FileServer("abcdef", ["ETag": "\"2\""])

        _ = try kept.download(server)

        expectEqual(server.ranges, ["bytes=5-"])
        expectEqual(folder.text, "abcdef")
        expectEqual(folder.names, ["file"])
    }

    @Test("is not used for another host, even with the same identity")
    func otherHost() throws {
        var named = kept.options
        named.identity = "file"
        try kept.breakOff(page, named)
        let server = FileServer("abcdefghij")

        _ = try kept.download(server, "https://other.example.com/file", named)

        expectEqual(server.ranges, ["bytes=5-", nil])
        expectEqual(folder.text, "abcdefghij")
    }

    @Test("is not kept if the content has no strong validator")
    func weak() throws {
        let server = FileServer(headers: ["ETag": "W/\"1\""], faults: [.lost(after: 5)])

        #expect(throws: HTTP.TransferError.self) { try kept.download(server) }
        expectTrue(folder.names.isEmpty)
    }

    @Test("is kept when calls in between fail")
    func untouched() throws {
        try kept.breakOff()
        let server = FileServer(distort: { answer, _ in answer.status = 404 })
        let error = try #require(throws: HTTP.TransferError.self) { try kept.download(server) }

        let whole = FileServer()
        _ = try kept.download(whole)

        expectEqual(error.code, .refused)
        expectEqual(server.ranges, ["bytes=5-", nil])
        expectEqual(whole.ranges, ["bytes=5-"])
    }

    @Test(
        "is not used when a byte of it is not what it was",
        arguments: ["01\u{0}34", "01235", "0123", ""]
    )
    func damaged(part: String) throws {
        try kept.breakOff()
        try overwrite(part)
        let server = FileServer()

        _ = try kept.download(server)

        expectEqual(server.ranges, [nil])
        expectEqual(folder.text, "0123456789")
    }

    @Test("is used without what was added to it")
    func longer() throws {
        try kept.breakOff()
        try overwrite("01234XX")
        let server = FileServer()

        _ = try kept.download(server)

        expectEqual(server.ranges, ["bytes=5-"])
        expectEqual(folder.text, "0123456789")
    }

    // The same file, as a fault of the disk leaves it.
    private func overwrite(_ content: String) throws {
        let file = unsafe open(folder["file.partial"], O_WRONLY | O_TRUNC)
        let bytes = Array(content.utf8)
        expectEqual(unsafe write(file, bytes, bytes.count), bytes.count)
        close(file)
    }

    @Test("is not used when it is longer than the content")
    func tooLong() throws {
        try kept.breakOff()
        try folder.write(Data(count: 11), to: "file.partial")
        let server = FileServer()

        _ = try kept.download(server)

        expectEqual(server.ranges, [nil])
        expectEqual(folder.text, "0123456789")
    }
}
