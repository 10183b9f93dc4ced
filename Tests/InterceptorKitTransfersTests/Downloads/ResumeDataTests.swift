import Expectations
import Foundation
import InterceptorKit
import TestSupport
import Testing

@testable import InterceptorKitTransfers

@Suite("HTTP.ResumeData")
struct ResumeDataTests {
    private let kept: KeptDownload
    private let folder: Folder
    private let renewed: HTTP.URL = "https://files.example.com/file?signature=2"

    init() throws {
        kept = try KeptDownload()
        folder = kept.folder
    }

    private func stored() throws -> HTTP.ResumeData {
        let data = try unwrap(HTTP.ResumeData(keptFor: folder["file"]))
        return try JSONDecoder().decode(HTTP.ResumeData.self, from: JSONEncoder().encode(data))
    }

    @Test(
        "goes on with another query, without the record, after an app stored it",
        arguments: [true, false]
    )
    func resumption(isRecordLost: Bool) throws {
        try kept.breakOff("https://files.example.com/file?signature=s3cr3t")
        let data = try stored()
        if isRecordLost {
            try FileManager.default.removeItem(atPath: folder["file.partial.json"])
        }
        var options = HTTP.DownloadOptions()
        options.resumeData = data
        options.resumptions = 0
        let server = FileServer(faults: [.lost(after: 2)])

        #expect(throws: HTTP.TransferError.self) { try kept.download(server, renewed, options) }
        let later = FileServer()
        let file = try kept.download(later, renewed)

        expectEqual(server.ranges, ["bytes=5-"])
        expectEqual(later.ranges, ["bytes=7-"])
        expectEqual(file.byteCount, 10)
        expectEqual(folder.text, "0123456789")
        expectEqual(folder.names, ["file"])
        expectEqual("\(data)", "5 of 10 bytes")
        expectTrue(
            !String(decoding: try JSONEncoder().encode(data), as: UTF8.self).contains("s3cr3t")
        )
    }

    @Test(
        "starts over if the part has changed, or the value is none of a part",
        arguments: ["part", "count", "other"]
    )
    func changed(what: String) throws {
        try kept.breakOff()
        var options = kept.options
        let data = try stored()
        let bytes = HTTP.ResumeData.Bytes(
            count: what == "count" ? .max : data.bytes.count,
            checksum: data.bytes.checksum
        )
        let part = PartialFile.Identity(
            device: data.part.device,
            number: what == "other" ? 1 : data.part.number
        )
        options.resumeData = HTTP.ResumeData(
            resource: data.resource,
            part: part,
            version: data.version,
            bytes: bytes
        )
        try FileManager.default.removeItem(atPath: folder["file.partial.json"])
        if what == "part" {
            let file = try unwrap(FileHandle(forWritingAtPath: folder["file.partial"]))
            try file.write(contentsOf: Data("x".utf8))
        }
        let server = FileServer()

        _ = try kept.download(server, renewed, options)

        expectEqual(server.ranges, [nil])
        expectEqual(folder.text, "0123456789")
    }

    @Test("is there only for a part that a later call could use")
    func absent() throws {
        expectEqual(HTTP.ResumeData(keptFor: folder["file"]), nil)
        expectEqual(HTTP.ResumeData(keptFor: "\0"), nil)
        try kept.breakOff()
        try FileManager.default.removeItem(atPath: folder["file.partial"])
        expectEqual(HTTP.ResumeData(keptFor: folder["file"]), nil)
    }

    @Test("of another format is not decoded")
    func format() throws {
        try kept.breakOff()
        let text = String(decoding: try JSONEncoder().encode(stored()), as: UTF8.self)

        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(
                HTTP.ResumeData.self,
                from: Data(text.replacing("\"format\":3", with: "\"format\":4").utf8)
            )
        }
    }
}
