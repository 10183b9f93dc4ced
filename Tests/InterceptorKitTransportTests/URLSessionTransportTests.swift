import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTesting
import InterceptorKitTransport
import TestRun
import Testing

@Suite("URLSessionTransport", .tags(.sockets), .serializedAcrossSuites, .timeLimit(.minutes(10)))
struct URLSessionTransportTests {
    private let transport = URLSessionTransport()

    @Test("removes coding and length of a body that the engine decompressed")
    func decompressed() async throws {
        // "hello" as gzip with a stored block.
        let gzip: [UInt8] = [
            0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1, 5, 0, 0xFA, 0xFF, 0x68, 0x65, 0x6C, 0x6C, 0x6F,
            0x86, 0xA6, 0x10, 0x36, 5, 0, 0, 0,
        ]
        let server = try LoopbackServer { _ in
            .status(200, headers: ["Content-Encoding": "gzip"], body: Data(gzip))
        }

        let response = try await transport.send(.get(server.url("/")), call: Call())
        let text = try await response.text()

        expectEqual(text, "hello")
        expectEqual(response.headers["Content-Encoding"], nil)
        expectEqual(response.headers["Content-Length"], nil)
        expectEqual(response.body.length, nil)
    }

    @Test("delivers a redirect without target, but throws for its lost body")
    func redirectWithoutTarget() async throws {
        let server = try LoopbackServer { request in
            .status(301, body: request.path == "/body" ? "gone" : "")
        }

        let bare = try await transport.send(.get(server.url("/")), call: Call())
        let full = try await transport.send(.get(server.url("/body")), call: Call())

        expectEqual([bare.status, full.status], [301, 301])
        expectTrue(bare.body.isEmpty)
        #if canImport(FoundationNetworking)
        let error = await #expect(throws: TransportError.self) { try await full.text() }
        expectEqual(error?.code, .protocolViolation)
        #endif
    }
}
