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

@Suite("A partial download kept for a later call")
struct KeptPartialTests {
    private let folder: Folder
    private var options = HTTP.DownloadOptions()

    init() throws {
        folder = try Folder()
        options.keepsPartial = true
        options.resumptions = 0
    }

    private func download(
        _ server: FileServer,
        _ url: HTTP.URL = page,
        _ options: HTTP.DownloadOptions? = nil
    ) throws -> HTTP.DownloadedFile {
        let path = folder["file"]
        let chosen = options ?? self.options
        return try Simulation.run { simulation in
            try await simulation.client(server.transport) {}
                .download(.get(url), to: path, options: chosen)
        }
    }

    /// Leaves a part of five bytes.
    private func breakOff(
        _ url: HTTP.URL = page,
        _ options: HTTP.DownloadOptions? = nil
    ) throws {
        #expect(throws: HTTP.TransferError.self) {
            try download(FileServer(faults: [.lost(after: 5)]), url, options)
        }
    }

    private var content: String? {
        folder.content("file").map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("is resumed by the next call, and then removed")
    func goesOn() throws {
        try breakOff()
        let left = folder.names
        let server = FileServer()

        let file = try download(server)

        #expect(left == ["file.partial", "file.partial.json"])
        #expect(server.ranges == ["bytes=5-"])
        #expect(file.resumptions == 1)
        #expect(file.byteCount == 10)
        #expect(content == "0123456789")
        #expect(folder.names == ["file"])
    }

    @Test("counts for the checksum")
    func checksum() throws {
        try breakOff()
        var options = options
        options.expectedChecksum = HTTP.Checksum(of: "0123456789".utf8)

        let file = try download(FileServer(), page, options)

        #expect(file.checksum == options.expectedChecksum)
    }

    @Test("is replaced when the content has changed")
    func changed() throws {
        try breakOff()
        let server = FileServer("abcdef", ["ETag": "\"2\""])

        _ = try download(server)

        #expect(server.ranges == ["bytes=5-"])
        #expect(content == "abcdef")
        #expect(folder.names == ["file"])
    }

    @Test("is not used for another URL, unless both have the same identity")
    func otherURL() throws {
        let other: HTTP.URL = "https://files.example.com/file?signature=2"
        var named = options
        named.identity = "file"

        try breakOff()
        let unnamed = FileServer()
        _ = try download(unnamed, other)
        try breakOff(page, named)
        let same = FileServer()
        _ = try download(same, other, named)

        #expect(unnamed.ranges == [nil])
        #expect(same.ranges == ["bytes=5-"])
        #expect(content == "0123456789")
    }

    @Test("is not used for another host, even with the same identity")
    func otherHost() throws {
        var named = options
        named.identity = "file"
        try breakOff(page, named)
        let server = FileServer("abcdefghij")

        _ = try download(server, "https://other.example.com/file", named)

        #expect(server.ranges == ["bytes=5-", nil])
        #expect(content == "abcdefghij")
    }

    @Test("is not kept if the content has no strong validator")
    func weak() throws {
        let server = FileServer(headers: ["ETag": "W/\"1\""], faults: [.lost(after: 5)])

        #expect(throws: HTTP.TransferError.self) { try download(server) }
        #expect(folder.names.isEmpty)
    }

    @Test("is kept when calls in between fail")
    func untouched() throws {
        try breakOff()
        let server = FileServer(distort: { answer, _ in answer.status = 404 })
        let error = try #require(throws: HTTP.TransferError.self) { try download(server) }

        let whole = FileServer()
        _ = try download(whole)

        #expect(error.code == .refused)
        #expect(server.ranges == ["bytes=5-", nil])
        #expect(whole.ranges == ["bytes=5-"])
    }

    @Test(
        "is not used if its record is damaged or missing",
        arguments: [nil, "", "{}", "x", "link"]
    )
    func damaged(record: String?) throws {
        try breakOff()
        try FileManager.default.removeItem(atPath: folder["file.partial.json"])
        if record == "link" {
            try FileManager.default.createSymbolicLink(
                atPath: folder["file.partial.json"],
                withDestinationPath: "/dev/zero"
            )
        } else if let record {
            try folder.write(Data(record.utf8), to: "file.partial.json")
        }
        let server = FileServer()

        _ = try download(server)

        #expect(server.ranges == [nil])
        #expect(content == "0123456789")
        #expect(folder.names == ["file"])
    }

    @Test("is not used when it is longer than the content")
    func tooLong() throws {
        try breakOff()
        try folder.write(Data(count: 11), to: "file.partial")
        let server = FileServer()

        _ = try download(server)

        #expect(server.ranges == [nil])
        #expect(content == "0123456789")
    }

    @Test("stores no secret of the URL, readable by its owner only")
    func secrets() throws {
        try breakOff("https://files.example.com/file?token=s3cr3t")

        let record = try #require(folder.content("file.partial.json"))

        #expect(!String(decoding: record, as: UTF8.self).contains("s3cr3t"))
        #expect(folder.permissions("file.partial.json") == 0o600)
    }

    @Test("is not begun if its record can't be written")
    func noRecord() throws {
        try FileManager.default.createDirectory(
            atPath: folder["file.partial.json"],
            withIntermediateDirectories: true
        )

        let error = try #require(throws: HTTP.TransferError.self) { try download(FileServer()) }

        #expect(error.code == .destinationUnwritable)
        #expect(error.message.contains("file.partial.json"))
        #expect(folder.names == ["file.partial.json"])
    }

    @Test(
        "is refused if another user owns it",
        .enabled(if: geteuid() == 0, "needs to give it away")
    )
    func foreign() throws {
        try breakOff()
        unsafe chown(folder["file.partial"], 1, 1)

        let error = try #require(throws: HTTP.TransferError.self) { try download(FileServer()) }

        #expect(error.code == .destinationUnwritable)
        #expect(error.message.contains("another user"))
        #expect(folder.content("file.partial") == Data("01234".utf8))
    }

    @Test("is replaced by a new file if it is a hard link to another file")
    func hardLink() throws {
        try folder.write(Data("precious".utf8), to: "other")
        try FileManager.default.linkItem(atPath: folder["other"], toPath: folder["file.partial"])
        let server = FileServer()

        _ = try download(server)

        #expect(server.ranges == [nil])
        #expect(folder.content("other") == Data("precious".utf8))
        #expect(folder.names == ["file", "other"])
    }

    @Test(
        "is not used with another user's record",
        .enabled(if: geteuid() == 0, "needs to give it away")
    )
    func foreignRecord() throws {
        try breakOff()
        unsafe chown(folder["file.partial.json"], 1, 1)
        let server = FileServer()

        _ = try download(server)

        #expect(server.ranges == [nil])
        #expect(content == "0123456789")
    }

    @Test("writes its record to a new file, whatever was left at that path")
    func leftRecord() throws {
        try folder.write(Data("precious".utf8), to: "other")
        try FileManager.default.linkItem(
            atPath: folder["other"],
            toPath: folder["file.partial.json.new"]
        )

        try breakOff()

        #expect(folder.content("other") == Data("precious".utf8))
        #expect(folder.names == ["file.partial", "file.partial.json", "other"])
    }

    @Test("is used by one download at a time")
    func busy() throws {
        let path = folder["file"]
        let options = options
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

        #expect(error?.code == .destinationBusy)
        #expect(content == "content")
        #expect(folder.names == ["file"])
    }
}
