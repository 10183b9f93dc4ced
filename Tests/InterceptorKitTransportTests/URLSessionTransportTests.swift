import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTesting
import InterceptorKitTransport
import TestRun
import Testing

@Suite("URLSessionTransport", .tags(.sockets), .serializedAcrossSuites, .timeLimit(.minutes(1)))
struct URLSessionTransportTests {
    private let transport = URLSessionTransport()

    @Test("sends a GET and delivers status, header fields and body")
    func get() async throws {
        let server = try LoopbackServer { _ in
            .status(
                203,
                headers: ["X-A": "1", "Set-Cookie": "a=1", "Set-Cookie": "b=2"],
                body: "hello"
            )
        }

        let response = try await transport.send(
            .get(server.url("/path?q=%20"), headers: ["X-lower": "2"]),
            call: Call()
        )
        let text = try await response.text()

        expectEqual(response.status, 203)
        expectEqual(response.headers["X-A"], "1")
        expectEqual(response.headers.values("Set-Cookie"), ["a=1", "b=2"])
        expectEqual(response.body.length, 5)
        expectEqual(text, "hello")
        let request = try unwrap(server.requests.first)
        expectEqual(request.method, .get)
        expectEqual(request.target, "/path?q=%20")
        expectEqual(request.headers["X-lower"], "2")
    }

    static let bodies: [(HTTP.Method, HTTP.Body, Int)] = [
        (.post, "text", 4), (.put, .empty, 0), (.patch, .bytes(Data(count: 3_000_000)), 3_000_000),
        (.post, .replayable { chunks(10) }, 10_000), (.put, .oneShot(chunks(3)), 3_000),
        (.delete, "why", 3), (.put, .file(#filePath, range: 0..<6), 6),
    ]

    @Test("sends a body whole, with its length", arguments: bodies.indices)
    func sendsBody(index: Int) async throws {
        let (method, body, count) = URLSessionTransportTests.bodies[index]
        let server = try LoopbackServer { _ in .status(200) }

        let response = try await transport.send(
            HTTP.Request(method, server.url("/"), body: body),
            call: Call()
        )

        expectEqual(response.status, 200)
        let request = try unwrap(server.requests.first)
        expectEqual(request.method, method)
        expectEqual(request.body.count, count)
        expectEqual(request.headers["Content-Length"], "\(count)")
    }

    @Test("delivers a large body whole")
    func largeBody() async throws {
        let content = Data((0..<5_000_000).map { UInt8(truncatingIfNeeded: $0) })
        let server = try LoopbackServer { _ in
            .status(200, body: content).chunked(size: 70_000)
        }

        let response = try await transport.send(.get(server.url("/")), call: Call())
        let data = try await response.body.collect()

        expectEqual(data, content)
    }

    @Test("delivers the head before the body arrives")
    func headFirst() async throws {
        let server = try LoopbackServer { _ in
            .status(200, body: "0123456789").stalledInBody(after: 4)
        }

        let response = try await transport.send(.get(server.url("/")), call: Call())
        var chunks = response.body.makeAsyncIterator()
        let first = try await chunks.next()

        expectEqual(first, Data("0123".utf8))
    }

    @Test("delivers an empty body when the method or status has none", arguments: [204, 304])
    func bodiless(code: Int) async throws {
        let server = try LoopbackServer { request in
            request.method == .head ? .text("hello") : .status(HTTP.Status(code))
        }

        let head = try await transport.send(.head(server.url("/")), call: Call())
        let other = try await transport.send(.get(server.url("/")), call: Call())

        expectEqual(head.headers["Content-Length"], "5")
        expectTrue(head.body.isEmpty)
        expectEqual(other.status.code, code)
        expectTrue(other.body.isEmpty)
        expectEqual(server.connectionCount, 1)
    }

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

    @Test("stores no cookies and sends only those of the request")
    func noCookies() async throws {
        let server = try LoopbackServer { _ in .status(200, headers: ["Set-Cookie": "jar=1"])
        }

        for _ in 0..<2 {
            _ = try await transport.send(
                .get(server.url("/"), headers: ["Cookie": "own=1"]),
                call: Call()
            )
        }

        expectEqual(server.requests.map { $0.headers["Cookie"] }, ["own=1", "own=1"])
    }
}

private func chunks(_ count: Int) -> AsyncStream<Data> {
    AsyncStream { continuation in
        for _ in 0..<count { continuation.yield(Data(count: 1000)) }
        continuation.finish()
    }
}
