import Expectations
import Foundation
import InterceptorKit
import TestSupport
import Testing

@testable import InterceptorKitTransfers

@Suite("A part that somebody else put there")
struct PlantedPartTests {
    @Test("is not gone on with, whatever its record says")
    func planted() throws {
        let kept = try KeptDownload()
        try kept.breakOff()
        // As files that another server delivered: the same record, and a part of its own.
        for (name, content) in [
            ("file.partial", Data("evil!".utf8)),
            ("file.partial.json", try unwrap(kept.folder.content("file.partial.json"))),
        ] {
            try kept.folder.write(content, to: "delivered")
            try FileManager.default.removeItem(atPath: kept.folder[name])
            try FileManager.default.moveItem(
                atPath: kept.folder["delivered"],
                toPath: kept.folder[name]
            )
        }
        let server = FileServer()

        _ = try kept.download(server)

        expectEqual(server.ranges, [nil])
        expectEqual(kept.folder.text, "0123456789")
    }

    @Test(
        "has a name that no server's suggestion and no destination has",
        arguments: ["a.partial", "a.partial.json", "a.PARTIAL", "a.partial.json.new", ".partial"]
    )
    func names(name: String) throws {
        let response = HTTP.Response(
            200,
            headers: ["Content-Disposition": "attachment; filename=\"\(name)\""]
        )
        let suggested = try unwrap(response.suggestedFilename)

        expectTrue(!DownloadDestination.isReserved(suggested))
        #expect(throws: HTTP.TransferError.self) { try DownloadDestination("/tmp/\(name)") }
    }
}
