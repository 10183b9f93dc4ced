import Expectations
import Foundation
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import TestRun
import Testing

@testable import InterceptorKitRouting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("RoutedProtocol", .tags(.sockets), .serializedAcrossSuites, .timeLimit(.minutes(10)))
struct RoutedProtocolTests {
    private let request = urlRequest("http://api.example.com/large")

    @Test("hands a session delegate each chunk as it arrives")
    func streaming() async throws {
        let chunks = AsyncStream.makeStream(of: Data.self)
        let seen = AsyncStream.makeStream(of: DelegateLog.Facts.self)
        let client = try client(answering: .oneShot(chunks.stream))
        let log = DelegateLog { seen.continuation.yield($0) }
        let session = routedSession(through: client, delegate: log)

        session.dataTask(with: request).resume()
        var facts = seen.stream.makeAsyncIterator()
        await expectEqual(facts.next()?.statuses, [200])
        chunks.continuation.yield(Data("one".utf8))
        await expectEqual(facts.next()?.chunks, [Data("one".utf8)])
        chunks.continuation.yield(Data("two".utf8))
        await expectEqual(facts.next()?.chunks.last, Data("two".utf8))
        chunks.continuation.finish()

        await expectEqual(facts.next()?.endings, [nil])
        expectEqual(log.current.chunks.count, 2)
    }

    #if canImport(FoundationNetworking)
    @Test("refuses download tasks on Linux, of every form, and sends nothing")
    func downloads() async throws {
        let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response() }
        let session = routedSession(through: try HTTP.Client(transport: transport, timeout: nil) {})
        let request = request

        let handled = await withCheckedContinuation { continuation in
            session.downloadTask(with: request) { file, _, error in
                continuation.resume(returning: file == nil ? error as? URLError : nil)
            }.resume()
        }
        let awaited = await #expect(throws: URLError.self) {
            _ = try await session.download(for: request)
        }

        for error in [handled, awaited] {
            let cause = error?.userInfo[NSUnderlyingErrorKey] as? RoutingError
            expectEqual(cause?.code, .unsupportedTask)
        }
        expectTrue(transport.sent.isEmpty)
    }
    #endif

    @Test("refuses to send through the session it serves")
    func recursion() async throws {
        let server = try LoopbackServer { _ in .text("never") }
        let place = Lock<URLSession?>(nil)
        let transport = PlainSession(session: nil, place: { place.withLock { $0 } })
        let client = try HTTP.Client(transport: transport, timeout: nil) {}
        let session = routedSession(through: client)
        place.withLock { $0 = session }

        let answer = await session.answer(to: urlRequest(server.url("/")))

        guard case .failure(let error) = answer else {
            Issue.record("it was sent")
            return
        }
        expectEqual((error.userInfo[NSUnderlyingErrorKey] as? RoutingError)?.code, .recursion)
        expectTrue(server.requests.isEmpty)
        place.withLock { $0 = nil }
    }
}
