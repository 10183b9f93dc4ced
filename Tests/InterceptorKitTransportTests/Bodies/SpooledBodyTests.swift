import Expectations
import Foundation
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import TestRun
import Testing

@testable import InterceptorKitTransport

@Suite(
    "A request body that is spooled",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct SpooledBodyTests {
    private struct Mishap: Error, Equatable {}

    private let folder: TemporaryFolder
    private let transport: URLSessionTransport
    private let content = Content.large

    init() throws {
        folder = try TemporaryFolder()
        var settings = URLSessionTransport.Settings()
        settings.bytesInMemory = 100_000
        settings.temporaryFolder = folder.path
        transport = try URLSessionTransport(settings: settings)
    }

    private func stream(
        _ count: Int? = nil,
        failure: (any Error)? = nil
    ) -> AsyncThrowingStream<Data, any Error> {
        let content = content.prefix(count ?? content.count)
        return AsyncThrowingStream { continuation in
            for start in stride(from: 0, to: content.count, by: 30_000) {
                continuation.yield(content[start..<min(start + 30_000, content.count)])
            }
            continuation.finish(throwing: failure)
        }
    }

    @Test("is sent whole with its length, from a file that is unlinked by then")
    func whole() async throws {
        let server = try LoopbackServer { _ in .stalled }
        let url = server.url("/")
        let body = HTTP.Body.oneShot(stream())

        let task = Task { try await transport.send(.put(url, body: body), call: Call()) }
        try await server.waitForRequests(1)
        let named = folder.contents
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        await transport.registry.idle()

        let request = try unwrap(server.requests.first)
        expectEqual(request.body, content)
        expectEqual(request.headers["Content-Length"], "3000000")
        expectEqual(request.headers["Transfer-Encoding"], nil)
        expectEqual(named, [])
    }

    static let bodies: [@Sendable (SpooledBodyTests) throws -> (HTTP.Body, Int)] = [
        { (.oneShot($0.stream(50_000)), 50_000) },
        { (.oneShot(length: 100_000, $0.stream(100_000)), 100_000) },
        { (.oneShot($0.stream(100_001)), 100_001) },
        { test in (.replayable { test.stream() }, 3_000_000) },
        { (.file(try $0.folder.file("range", $0.content), range: 7..<500_007), 500_000) },
        { _ in (.oneShot(AsyncStream<Data> { $0.finish() }), 0) },
    ]

    @Test("is sent whole and leaves no file, whatever its size", arguments: bodies.indices)
    func sizes(index: Int) async throws {
        let server = try LoopbackServer { _ in .text("done") }
        let (body, count) = try SpooledBodyTests.bodies[index](self)
        let before = folder.contents

        let text = try await transport.send(.put(server.url("/"), body: body), call: Call()).text()

        expectEqual(text, "done")
        let request = try unwrap(server.requests.first)
        expectEqual(request.body.count, count)
        expectEqual(request.headers["Content-Length"], "\(count)")
        expectEqual(folder.contents, before)
        await expectTrue(OwnProcess.closesFiles(in: folder.path))
    }

    @Test(
        "is not sent when its stream throws, and the error is rethrown",
        arguments: [10_000, 2_000_000]
    )
    func ownError(count: Int) async throws {
        let server = try LoopbackServer { _ in .status(200) }

        await #expect(throws: Mishap()) {
            try await transport.send(
                .put(server.url("/"), body: .oneShot(stream(count, failure: Mishap()))),
                call: Call()
            )
        }

        expectEqual(server.connectionCount, 0)
        expectEqual(folder.contents, [])
    }

    @Test(
        "is not sent when its length differs from the stated one",
        arguments: [1_000_000, 2_999_999, 4_000_000]
    )
    func lies(length: Int) async throws {
        let server = try LoopbackServer { _ in .status(200) }

        let error = await #expect(throws: HTTP.RequestError.self) {
            try await transport.send(
                .put(server.url("/"), body: .oneShot(length: length, stream())),
                call: Call()
            )
        }

        expectEqual(error?.code, .invalidBody)
        expectEqual(server.connectionCount, 0)
        expectEqual(folder.contents, [])
    }

    @Test("is released when its call is cancelled or times out during reading")
    func interrupted() async throws {
        let server = try LoopbackServer { _ in .status(200) }
        let (endless, source) = AsyncStream.makeStream(of: Data.self)
        defer { source.finish() }
        source.yield(content)
        let url = server.url("/")

        let late = await #expect(throws: TransportError.self) {
            try await transport.send(
                .put(url, body: .oneShot(endless)),
                call: Call().withDeadline(within: .milliseconds(100))
            )
        }
        let (another, other) = AsyncStream.makeStream(of: Data.self)
        defer { other.finish() }
        other.yield(content)
        let task = Task {
            try await transport.send(.put(url, body: .oneShot(another)), call: Call())
        }
        task.cancel()

        await #expect(throws: CancellationError.self) { try await task.value }
        expectEqual(late?.code, .timedOut)
        expectEqual(late?.isUnsent, true)
        expectEqual(server.connectionCount, 0)
        await expectTrue(folder.isEmptied())
    }

    @Test("is not sent when it cannot be stored")
    func noFolder() async throws {
        var settings = URLSessionTransport.Settings()
        settings.temporaryFolder = "/nowhere"
        let transport = try URLSessionTransport(settings: settings)

        let error = await #expect(throws: TransportError.self) {
            try await transport.send(
                .put("http://127.0.0.1:1/", body: .oneShot(stream())),
                call: Call()
            )
        }

        expectEqual(error?.code, .storage)
        expectEqual(error?.isUnsent, true)
        expectEqual(error?.message.contains("/nowhere"), true)
    }

    @Test("leaves no file when the server refuses or responds early")
    func refused() async throws {
        var options = LoopbackServer.Options()
        options.earlyReply = { _ in .status(413) }
        let server = try LoopbackServer(options: options) { _ in .status(200) }

        _ = try? await transport.send(
            .put(server.url("/"), body: .oneShot(stream())),
            call: Call()
        )
        _ = try? await transport.send(
            .put("http://127.0.0.1:1/", body: .oneShot(stream())),
            call: Call()
        )
        await transport.registry.idle()

        expectEqual(folder.contents, [])
    }
}
