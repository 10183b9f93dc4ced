import Expectations
import Foundation
import TestSupport
import Testing

@testable import InterceptorKit
@testable import InterceptorKitTransfers

@Suite("DownloadDestination")
struct DownloadDestinationTests {
    private let folder: Folder
    private let destination: DownloadDestination

    init() throws {
        folder = try Folder()
        destination = try DownloadDestination(folder["file"])
    }

    /// What has come of a download.
    private func downloaded(_ content: String = "new") throws -> PartialFile {
        let file = try PartialFile.temporary(for: destination) { 1 }
        try file.write(Data(content.utf8), at: 0)
        return file
    }

    @Test("receives a file under a free name, with and without hard links")
    func free() throws {
        try destination.receive(downloaded(), replacing: false)
        let linked = folder.content("file")
        try FileManager.default.removeItem(atPath: folder["file"])

        try destination.claimName(for: downloaded("newer"))

        expectEqual(linked, Data("new".utf8))
        expectEqual(folder.content("file"), Data("newer".utf8))
        expectEqual(folder.names, ["file"])
    }

    @Test("keeps an existing file, with and without hard links")
    func taken() throws {
        try folder.write(Data("old".utf8), to: "file")
        let file = try downloaded()

        let errors = [
            #expect(throws: HTTP.TransferError.self) {
                try destination.receive(file, replacing: false)
            },
            #expect(throws: HTTP.TransferError.self) { try destination.claimName(for: file) },
        ]

        expectEqual(errors.map { $0?.code }, [.destinationExists, .destinationExists])
        expectEqual(folder.content("file"), Data("old".utf8))
    }

    @Test("throws when the file or folder is gone, and creates nothing")
    func gone() throws {
        let file = try downloaded()
        file.remove()

        let claiming = #expect(throws: HTTP.TransferError.self) {
            try destination.receive(file, replacing: false)
        }
        let left = folder.names
        try folder.write(Data("old".utf8), to: "file")
        let replacing = #expect(throws: HTTP.TransferError.self) {
            try destination.receive(file, replacing: true)
        }
        let kept = folder.content("file")
        try FileManager.default.removeItem(atPath: folder.path)
        let nowhere = #expect(throws: HTTP.TransferError.self) {
            try destination.receive(file, replacing: false)
        }

        expectTrue(left.isEmpty)
        expectEqual(kept, Data("old".utf8))
        for error in [claiming, replacing, nowhere] {
            expectEqual(error?.code, .destinationUnwritable)
            expectEqual(error?.message.contains(folder["file"]), true)
        }
    }
}
