import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@testable import InterceptorKitTransfers

@Suite("HTTP.DownloadOptions.createsIntermediateDirectories")
struct MadeFoldersTests {
    private let folder: Folder
    private var options = HTTP.DownloadOptions()

    init() throws {
        folder = try Folder()
        options.createsIntermediateDirectories = true
    }

    @Test(
        "makes the folders of a destination",
        arguments: ["a/b/c/file", "a//b/./file", "a/../b/file", "file"]
    )
    func made(path: String) throws {
        let file = try folder.download(from: FileServer(), .get(page), options, to: path)

        expectEqual(file.path, folder[path])
        expectEqual(folder.content(path), Data("0123456789".utf8))
    }

    @Test("makes the folder of a file that the response names")
    func named() throws {
        let path = folder["new/releases"]
        let options = options

        let file = try Simulation.run { simulation in
            try await simulation.client(FileServer().transport) { [] }
                .download(.get(page), into: path, options: options)
        }

        expectEqual(file.path, "\(path)/file")
    }

    @Test("removes what it made after a failure, unless a part is kept there")
    func failure() throws {
        var options = options
        options.resumptions = 0
        try folder.write(Data(), to: "file")

        for path in ["a/b/file", "file/b/c"] {
            #expect(throws: HTTP.TransferError.self) {
                try folder.download(
                    from: FileServer(faults: [.lost(after: 5)]),
                    .get(page),
                    options,
                    to: path
                )
            }
        }
        let left = folder.names
        options.keepsPartial = true
        #expect(throws: HTTP.TransferError.self) {
            try folder.download(
                from: FileServer(faults: [.lost(after: 5)]),
                .get(page),
                options,
                to: "a/file"
            )
        }

        expectEqual(left, ["file"])
        expectEqual(folder.content("a/file.partial"), Data("01234".utf8))
    }

    @Test("makes none unless asked to, and says how to ask")
    func unasked() throws {
        let error = #expect(throws: HTTP.TransferError.self) {
            try folder.download(from: FileServer(), to: "a/file")
        }
        expectEqual(error?.message.contains("createsIntermediateDirectories"), true)
        expectEqual(folder.names, [])
    }
}
