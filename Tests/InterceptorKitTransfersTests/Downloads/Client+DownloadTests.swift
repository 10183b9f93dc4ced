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

@Suite("HTTP.Client.download")
struct DownloadTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func download(
        _ server: FileServer,
        _ options: HTTP.DownloadOptions = HTTP.DownloadOptions(),
        to name: String = "file"
    ) throws -> HTTP.DownloadedFile {
        try folder.download(from: server, .get(page), options, to: name)
    }

    private func failure(
        _ server: FileServer,
        _ options: HTTP.DownloadOptions = HTTP.DownloadOptions(),
        to name: String = "file"
    ) throws -> HTTP.TransferError {
        try #require(throws: HTTP.TransferError.self) { try download(server, options, to: name) }
    }

    @Test("writes the content to the destination, and describes it")
    func whole() async throws {
        let file = try download(FileServer())

        expectEqual(folder.names, ["file"])
        expectEqual(folder.content("file"), Data("0123456789".utf8))
        expectEqual(file.path, folder["file"])
        expectEqual(file.byteCount, 10)
        expectEqual(file.checksum, nil)
        expectEqual(file.resumptions, 0)
        expectEqual(file.response.status, 200)
        let text = try await file.response.text()
        expectEqual(text, "0123456789")
    }

    @Test("makes an empty file of an empty body")
    func empty() throws {
        let file = try download(FileServer("", [:]))

        expectEqual(file.byteCount, 0)
        expectEqual(folder.content("file"), Data())
    }

    @Test("replaces a file and keeps its permissions")
    func replacing() throws {
        try folder.write(Data("old".utf8), to: "file")
        folder.setPermissions(0o646, of: "file")

        _ = try download(FileServer())

        expectEqual(folder.content("file"), Data("0123456789".utf8))
        expectEqual(folder.permissions("file"), 0o646)
        expectEqual(folder.names, ["file"])
    }

    @Test("leaves the old file unchanged until the new one is complete")
    func oldFileStays() throws {
        try folder.write(Data("old".utf8), to: "file")
        var options = HTTP.DownloadOptions()
        options.resumptions = 0

        _ = try failure(FileServer(faults: [.lost(after: 5)]), options)

        expectEqual(folder.content("file"), Data("old".utf8))
        expectEqual(folder.names, ["file"])
    }

    @Test("sends nothing if the destination exists and may not be replaced")
    func taken() throws {
        try folder.write(Data("old".utf8), to: "file")
        let server = FileServer()
        var options = HTTP.DownloadOptions()
        options.replacesExisting = false

        let error = try failure(server, options)
        _ = try download(server, options, to: "other")

        expectEqual(error.code, .destinationExists)
        expectEqual(server.requests.count, 1)
        expectEqual(folder.content("file"), Data("old".utf8))
        expectEqual(folder.names, ["file", "other"])
    }

    @Test("doesn't replace a file that was created during the download")
    func takenMeanwhile() throws {
        let path = folder["file"]
        let server = FileServer(change: { _, _ in try? Data("new".utf8).write(toFile: path) })
        var options = HTTP.DownloadOptions()
        options.replacesExisting = false

        let error = try failure(server, options)

        expectEqual(error.code, .destinationExists)
        expectEqual(folder.content("file"), Data("new".utf8))
        expectEqual(folder.names, ["file"])
    }

    @Test(
        "sends nothing if the destination can't be a file",
        arguments: ["folder", "link", "missing/file", "", "nul\0byte", "file/"]
    )
    func unwritable(name: String) throws {
        try FileManager.default.createDirectory(
            atPath: folder["folder"],
            withIntermediateDirectories: true
        )
        try FileManager.default.createSymbolicLink(
            atPath: folder["link"],
            withDestinationPath: "target"
        )
        let server = FileServer()

        let error = try failure(server, to: name)

        expectEqual(error.code, .destinationUnwritable)
        expectTrue(error.message.contains(folder.path))
        expectTrue(server.requests.isEmpty)
        expectEqual(folder.names, ["folder", "link"])
    }

    @Test("fails if the body ends early and can't be resumed")
    func truncated() throws {
        let error = try failure(FileServer(headers: [:], faults: [.cut(after: 9)]))

        expectEqual(error.code, .truncated)
        expectTrue(folder.names.isEmpty)
    }

    @Test("fails if the body exceeds the accepted size", arguments: [true, false])
    func tooLong(isLengthKnown: Bool) throws {
        var options = HTTP.DownloadOptions()
        options.maximumBytes = 9
        let headers: HTTP.Headers = isLengthKnown ? [:] : ["X-Length": "unknown"]

        let error = try failure(FileServer(headers: headers), options)
        options.maximumBytes = 10
        let file = try download(FileServer(headers: headers), options)

        expectEqual(error.code, .tooLong)
        expectEqual(file.byteCount, 10)
        expectEqual(folder.names, ["file"])
    }

    @Test("reads nothing of a body whose stated length exceeds the accepted size")
    func statedTooLong() throws {
        let path = folder["file"]
        let stream = CountingStream(chunks: 10)
        var options = HTTP.DownloadOptions()
        options.maximumBytes = 10_239
        #expect(throws: HTTP.TransferError.self) {
            try Simulation.run { [options] simulation in
                let transport = ScriptedTransport<HTTP.Request> { _, _ in
                    HTTP.Response(body: .oneShot(length: 10_240, stream))
                }
                return try await simulation.client(transport) {}
                    .download(.get(page), to: path, options: options).path
            }
        }

        expectEqual(stream.read, 0)
        expectTrue(folder.names.isEmpty)
    }

    @Test("fails if the body exceeds its stated length, and keeps no file")
    func overrun() throws {
        let path = folder["file"]
        var options = HTTP.DownloadOptions()
        options.keepsPartial = true
        let error = try #require(throws: HTTP.TransferError.self) {
            try Simulation.run { [options] simulation in
                let transport = ScriptedTransport<HTTP.Request> { _, _ in
                    let body = FaultyStream(Data("0123456789".utf8), nil)
                    return HTTP.Response(
                        headers: ["ETag": "\"1\""],
                        body: .oneShot(length: 6, body)
                    )
                }
                return try await simulation.client(transport) {}
                    .download(.get(page), to: path, options: options)
            }
        }

        expectEqual(error.code, .tooLong)
        expectTrue(folder.names.isEmpty)
    }

    @Test("computes the checksum, and deletes a file with an unexpected one")
    func checksum() throws {
        var options = HTTP.DownloadOptions()
        options.computesChecksum = true
        let sum = HTTP.Checksum(of: "0123456789".utf8)

        let file = try download(FileServer(), options)
        options.expectedChecksum = sum
        _ = try download(FileServer(faults: [.lost(after: 3)]), options)
        options.expectedChecksum = HTTP.Checksum(of: "other".utf8)
        options.keepsPartial = true
        let error = try failure(FileServer(), options, to: "wrong")

        expectEqual(file.checksum, sum)
        expectEqual(
            sum.description,
            "84d89877f0d4041efb6bf91a16f0248f2fd573e6af05c19f96bedb9f882f7882"
        )
        expectEqual(error.code, .checksumMismatch)
        expectEqual(folder.names, ["file"])
    }

    @Test("rethrows an error of the chain unchanged")
    func thrown() throws {
        let path = folder["file"]

        #expect(throws: Problem.self) {
            try Simulation.run { simulation in
                let transport = ScriptedTransport<HTTP.Request> { _, _ in throw Problem() }
                return try await simulation.client(transport) {}.download(.get(page), to: path).path
            }
        }
        expectTrue(folder.names.isEmpty)
    }
}

extension Data {
    func write(toFile path: String) throws { try write(to: URL(fileURLWithPath: path)) }
}
