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

@Suite("ResumeRecord")
struct ResumeRecordTests {
    private let kept: KeptDownload
    private let folder: Folder

    init() throws {
        kept = try KeptDownload()
        folder = kept.folder
    }

    @Test("is not used for another URL, unless both have the same identity")
    func otherURL() throws {
        let other: HTTP.URL = "https://files.example.com/file?signature=2"
        var named = kept.options
        named.identity = "file"

        try kept.breakOff()
        let unnamed = FileServer()
        _ = try kept.download(unnamed, other)
        try kept.breakOff(page, named)
        let same = FileServer()
        _ = try kept.download(same, other, named)

        expectEqual(unnamed.ranges, [nil])
        expectEqual(same.ranges, ["bytes=5-"])
        expectEqual(folder.text, "0123456789")
    }

    @Test(
        "is not used if its record is damaged or missing",
        arguments: [nil, "", "{}", "x", "link"]
    )
    func damaged(record: String?) throws {
        try kept.breakOff()
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

        _ = try kept.download(server)

        expectEqual(server.ranges, [nil])
        expectEqual(folder.text, "0123456789")
        expectEqual(folder.names, ["file"])
    }

    @Test("stores no secret of the URL, readable by its owner only")
    func secrets() throws {
        try kept.breakOff("https://files.example.com/file?token=s3cr3t")

        let record = try unwrap(folder.content("file.partial.json"))

        expectTrue(!String(decoding: record, as: UTF8.self).contains("s3cr3t"))
        expectEqual(folder.permissions("file.partial.json"), 0o600)
    }

    @Test("costs no download where it can't be written")
    func noRecord() throws {
        try FileManager.default.createDirectory(
            atPath: folder["file.partial.json"],
            withIntermediateDirectories: true
        )

        try kept.breakOff()
        let left = folder.names
        _ = try kept.download(FileServer())

        expectEqual(left, ["file.partial.json"])
        expectEqual(folder.text, "0123456789")
    }

    @Test(
        "is not used with another user's record",
        .enabled(if: geteuid() == 0, "needs to give it away")
    )
    func foreignRecord() throws {
        try kept.breakOff()
        unsafe chown(folder["file.partial.json"], 1, 1)
        let server = FileServer()

        _ = try kept.download(server)

        expectEqual(server.ranges, [nil])
        expectEqual(folder.text, "0123456789")
    }

    @Test("writes its record to a new file, whatever was left at that path")
    func leftRecord() throws {
        try folder.write(Data("precious".utf8), to: "other")
        try FileManager.default.linkItem(
            atPath: folder["other"],
            toPath: folder["file.partial.json.new"]
        )

        try kept.breakOff()

        expectEqual(folder.content("other"), Data("precious".utf8))
        expectEqual(folder.names, ["file.partial", "file.partial.json", "other"])
    }

    #if os(Linux)
    @Test(
        "leaves no partial record of a kept part's version",
        .enabled(if: SmallDisk.isPossible, "Only root may mount a small file system.")
    )
    func record() throws {
        let disk = try SmallDisk()
        defer { disk.unmount() }
        let date = Simulation.startDate
        let answer = HTTP.Response(200, headers: ["ETag": "\"1\""], body: "0123456789")
        let version = try unwrap(ContentVersion(of: answer, to: .get(page), date: date))
        let part = PartialFile.Identity(device: 0, number: 0)
        let destination = try DownloadDestination(disk.folder["file"])
        let record = ResumeRecord(for: destination, resource: "a", part: part)
        disk.fill()

        let error = #expect(throws: HTTP.TransferError.self) {
            try record.write(version, .init(count: 0, checksum: ""))
        }

        expectEqual(error?.code, .diskFull)
        expectEqual(disk.folder.names, ["filling"])
    }
    #endif
}
