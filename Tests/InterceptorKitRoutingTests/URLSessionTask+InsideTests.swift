#if canImport(FoundationNetworking)
import Expectations
import Foundation
import FoundationNetworking
import InterceptorKit
import InterceptorKitTesting
import TestRun
import Testing

@testable import InterceptorKitRouting

@Suite(
    "The inside of a URLSessionTask",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct URLSessionTaskInsideTests {
    private let request = urlRequest("http://api.example.com/large")

    @Test("hands handlers and async calls the whole body despite a data delegate")
    func collecting() async throws {
        let content = Data((0..<500_000).map { UInt8(truncatingIfNeeded: $0 / 3) })
        for delegate in [nil, DelegateLog()] as [(any URLSessionDelegate)?] {
            let client = try client(answering: pieces(of: content))
            let session = routedSession(through: client, delegate: delegate)

            let handled = try await session.answer(to: request).get()
            let (awaited, _) = try await session.data(for: request)
            let (delegated, _) = try await session.data(for: request, delegate: DelegateLog())

            expectEqual(handled.0, content)
            expectEqual(awaited, content)
            expectEqual(delegated, content)
            expectTrue((delegate as? DelegateLog)?.current.chunks.isEmpty ?? true)
        }
    }

    @Test("sends the body of upload tasks, not the request's old one")
    func uploads() async throws {
        let echo = ScriptedTransport<HTTP.Request> { request, _ in
            HTTP.Response(body: .bytes(try await request.body.collect()))
        }
        let session = routedSession(through: try HTTP.Client(transport: echo, timeout: nil) {})
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("\(UUID().uuidString).txt")
        try Data("from a file".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let request = urlRequest("http://api.example.com/", "POST", body: "old")

        let (data, _) = try await session.upload(for: request, from: Data("new".utf8))
        let (read, _) = try await session.upload(for: request, fromFile: file)

        expectEqual(String(decoding: data, as: UTF8.self), "new")
        expectEqual(String(decoding: read, as: UTF8.self), "from a file")
    }

    @Test("refuses an upload whose body only a delegate can provide")
    func streamedUpload() async throws {
        let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response() }
        let ended = AsyncStream.makeStream(of: URLError?.self)
        let log = DelegateLog { facts in
            if let ending = facts.endings.last { ended.continuation.yield(ending) }
        }
        let session = routedSession(
            through: try HTTP.Client(transport: transport, timeout: nil) {},
            delegate: log
        )

        session.uploadTask(
            withStreamedRequest: urlRequest("http://api.example.com/", "POST", body: "old")
        ).resume()
        var endings = ended.stream.makeAsyncIterator()
        let error = await endings.next() ?? nil

        let cause = error?.userInfo[NSUnderlyingErrorKey] as? RoutingError
        expectEqual(cause?.code, .unsupportedTask)
        expectTrue(transport.sent.isEmpty)
    }
}
#endif
