import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTesting
import TestRun
import Testing

@testable import InterceptorKitTransport

@Suite("A slow reader", .tags(.sockets), .serializedAcrossSuites, .timeLimit(.minutes(10)))
struct ResponseBodyStreamTests {
    private let folder: TemporaryFolder
    private let content = Content.large

    init() throws { folder = try TemporaryFolder() }

    private func transport(
        memory: Int = 100_000,
        total: Int = .max
    ) throws -> URLSessionTransport {
        var settings = URLSessionTransport.Settings()
        settings.bytesInMemory = memory
        settings.maximumBufferedBytes = total
        settings.temporaryFolder = folder.path
        return try URLSessionTransport(settings: settings)
    }

    @Test("gets a whole body that was buffered in memory and an unlinked file")
    func whole() async throws {
        let transport = try transport()
        let server = try LoopbackServer { _ in .status(200, body: content) }

        let response = try await transport.send(.get(server.url("/")), call: Call())
        await transport.registry.idle()
        let waiting = OwnProcess.openFiles(in: folder.path).count
        let named = folder.contents
        let data = try await response.body.collect()

        expectEqual(data, content)
        expectTrue(OwnProcess.descriptors == nil || waiting == 1)
        expectEqual(named, [])
    }

    @Test("delays neither another exchange nor the transfer itself")
    func others() async throws {
        let transport = try transport()
        let server = try LoopbackServer { request in
            request.path == "/large" ? .status(200, body: content) : .text("small")
        }

        let response = try await transport.send(.get(server.url("/large")), call: Call())
        let small = try await transport.send(.get(server.url("/small")), call: Call()).text()
        await transport.registry.idle()

        expectEqual(small, "small")
        expectEqual(response.status, 200)
        expectEqual(transport.registry.liveCount, 0)
    }

    @Test("needs no file for a body that fits into memory")
    func inMemory() async throws {
        // Making one would fail.
        var settings = URLSessionTransport.Settings()
        settings.temporaryFolder = "/nowhere"
        let transport = try URLSessionTransport(settings: settings)
        let server = try LoopbackServer { _ in .status(200, body: content.prefix(1 << 20)) }

        let response = try await transport.send(.get(server.url("/")), call: Call())
        await transport.registry.idle()
        let data = try await response.body.collect()

        expectEqual(data, content.prefix(1 << 20))
    }

    @Test("gets an error, and the transfer ends, when no file can be created")
    func noFolder() async throws {
        var settings = URLSessionTransport.Settings()
        settings.bytesInMemory = 100_000
        settings.temporaryFolder = "/nowhere"
        let transport = try URLSessionTransport(settings: settings)
        let server = try LoopbackServer { _ in
            .status(200, body: content).stalledInBody(after: 2_999_999)
        }

        let response = try await transport.send(.get(server.url("/")), call: Call())
        await transport.registry.idle()
        let error = await #expect(throws: TransportError.self) {
            try await response.body.collect()
        }

        expectEqual(error?.code, .storage)
        expectEqual(error?.message.contains("127.0.0.1:\(server.port)"), true)
        expectEqual(error?.message.contains("/nowhere"), true)
        try await server.waitForOpenConnections(0)
    }

    @Test("gets an error, and the transfer ends, when the buffer is full")
    func tooSlow() async throws {
        let transport = try transport(total: 100_000)
        let server = try LoopbackServer { _ in
            .status(200, body: Data(count: 1_000_001)).stalledInBody(after: 1_000_000)
        }

        let response = try await transport.send(.get(server.url("/")), call: Call())
        await transport.registry.idle()
        let error = await #expect(throws: TransportError.self) {
            try await response.body.collect()
        }

        expectEqual(error?.code, .readerTooSlow)
        try await server.waitForOpenConnections(0)
    }

    @Test("leaves no file and no connection when it drops a half-read body")
    func dropped() async throws {
        let transport = try transport()
        let server = try LoopbackServer { _ in
            .status(200, body: content).stalledInBody(after: 2_999_999)
        }

        var response: HTTP.Response? = try await transport.send(.get(server.url("/")), call: Call())
        try await server.waitForRequests(1)
        var chunks = response?.body.makeAsyncIterator()
        _ = try await chunks?.next()
        chunks = nil
        response = nil
        await transport.registry.idle()

        try await server.waitForOpenConnections(0)
        expectEqual(folder.contents, [])
        expectEqual(OwnProcess.openFiles(in: folder.path), [])
    }

    @Test("gets each chunk as it arrives after it has caught up")
    func caughtUp() async throws {
        let transport = try transport(memory: 1000)
        let server = try LoopbackServer { _ in
            .status(200, body: content.prefix(400_000)).stalledInBody(after: 399_999)
        }

        let response = try await transport.send(.get(server.url("/")), call: Call())
        var read = Data()
        for try await chunk in response.body {
            read += chunk
            if read.count == 399_999 { break }
        }

        expectEqual(read, content.prefix(399_999))
    }
}
