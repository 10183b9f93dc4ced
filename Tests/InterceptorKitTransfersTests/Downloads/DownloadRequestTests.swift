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

@Suite("DownloadRequest")
struct DownloadRequestTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    @Test("fails on a 404 with its status and 64 KiB of its body, and no file")
    func refused() async throws {
        let path = folder["file"]
        let error = try #require(throws: HTTP.TransferError.self) {
            try Simulation.run { simulation in
                let body = HTTP.Body.bytes(Data(count: 100_000))
                let transport = ScriptedTransport<HTTP.Request> { _, _ in
                    HTTP.Response(404, body: body)
                }
                return try await simulation.client(transport) {}.download(.get(page), to: path).path
            }
        }

        expectEqual(error.code, .refused)
        expectEqual(error.response?.status, 404)
        expectTrue(FailurePattern.status(404).matches(error))
        expectEqual(error.response?.body.inMemory?.count, 65_536)
        expectTrue(folder.names.isEmpty)
    }

    @Test("describes a refusal after a second even if its body never ends")
    func stalledRefusal() throws {
        let path = folder["file"]
        let (error, end) = try Simulation.run { simulation in
            let (stream, source) = AsyncStream.makeStream(of: Data.self)
            source.yield(Data("no".utf8))
            let transport = ScriptedTransport<HTTP.Request> { _, _ in
                HTTP.Response(503, body: .oneShot(stream))
            }
            let client = try simulation.client(transport) {}
            let error = await #expect(throws: HTTP.TransferError.self) {
                _ = try await client.download(.get(page), to: path)
            }
            source.finish()
            return (error, simulation.now.offset)
        }

        expectEqual(error?.response?.body.inMemory, Data("no".utf8))
        expectEqual(end, .seconds(1))
    }

    @Test("names the URL in an error, without its query")
    func message() throws {
        let path = folder["file"]
        let server = FileServer(distort: { answer, _ in answer.status = 403 })

        let error = try #require(throws: HTTP.TransferError.self) {
            try Simulation.run { simulation in
                try await simulation.client(server.transport) {}
                    .download(.get("https://a.example/b.iso?k=s3cr3t"), to: path)
            }
        }

        expectTrue(error.description.contains("https://a.example/b.iso"))
        expectTrue(!error.description.contains("s3cr3t"))
    }

    @Test("fails on a part that it didn't request")
    func unexpectedPart() throws {
        let server = FileServer(distort: { answer, _ in answer.status = 206 })

        let error = try #require(throws: HTTP.TransferError.self) {
            try folder.download(from: server)
        }

        expectEqual(error.code, .unexpectedPart)
        expectTrue(folder.names.isEmpty)
    }

    @Test("downloads the range that a request asks for, and never the rest")
    func part() throws {
        let path = folder["file"]
        let server = FileServer()
        let file = try Simulation.run { simulation in
            try await simulation.client(server.transport) {}
                .download(.get(page, headers: ["Range": "bytes=2-5"]), to: path)
        }

        expectEqual(file.byteCount, 4)
        expectEqual(folder.content("file"), Data("2345".utf8))
        expectEqual(server.requests[0]["Accept-Encoding"], nil)
    }
}
