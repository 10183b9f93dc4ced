import Foundation
import InterceptorKit
import InterceptorKitTesting
import InterceptorKitTransfers
import TestRun
import Testing

@testable import InterceptorKitTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A routed session", .tags(.sockets), .serializedAcrossSuites, .timeLimit(.minutes(2)))
struct RoutedDeliveryTests {
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
        #expect(await facts.next()?.statuses == [200])
        chunks.continuation.yield(Data("one".utf8))
        #expect(await facts.next()?.chunks == [Data("one".utf8)])
        chunks.continuation.yield(Data("two".utf8))
        #expect(await facts.next()?.chunks.last == Data("two".utf8))
        chunks.continuation.finish()

        #expect(await facts.next()?.endings == [nil])
        #expect(log.current.chunks.count == 2)
    }

    @Test("hands handlers and async calls the whole body despite a data delegate")
    func collecting() async throws {
        let content = Data((0..<500_000).map { UInt8(truncatingIfNeeded: $0 / 3) })
        for delegate in [nil, DelegateLog()] as [(any URLSessionDelegate)?] {
            let client = try client(answering: pieces(of: content))
            let session = routedSession(through: client, delegate: delegate)

            let handled = try await session.answer(to: request).get()
            let (awaited, _) = try await session.data(for: request)
            let (delegated, _) = try await session.data(for: request, delegate: DelegateLog())

            #expect(handled.0 == content)
            #expect(awaited == content)
            #expect(delegated == content)
            #expect((delegate as? DelegateLog)?.current.chunks.isEmpty ?? true)
        }
    }

    @Test("fails, instead of truncating, when a body exceeds the memory limit")
    func limit() async throws {
        let client = try client(answering: pieces(of: Data(count: 100_001)))
        let log = DelegateLog()

        let answer = await routedSession(through: client, upTo: 100_000).answer(to: request)

        guard case .failure(let error) = answer else {
            Issue.record("it was delivered")
            return
        }
        #expect(error.code == .dataLengthExceedsMaximum)
        #expect((error.userInfo[NSUnderlyingErrorKey] as? RoutingError)?.code == .bodyTooLarge)
        #expect(log.current.chunks.isEmpty)
    }

    @Test("fails when a body is cut off")
    func brokenOff() async throws {
        let body = HTTP.Body.oneShot(
            AsyncThrowingStream<Data, any Error> { stream in
                stream.yield(Data("half".utf8))
                stream.finish(throwing: TransportError(.connectionLost, "Broken off."))
            }
        )

        let answer = await routedSession(through: try client(answering: body))
            .answer(to: request)

        #expect(throws: URLError.self) { try answer.get() }
        #expect(failure(of: answer)?.code == .networkConnectionLost)
    }

    @Test("succeeds for a response without a body")
    func empty() async throws {
        let (data, response) = try await routedSession(through: try client(answering: .empty))
            .answer(to: request).get()

        #expect(data.isEmpty)
        #expect(response.statusCode == 200)
        #expect(response.url == request.url)
    }

    #if canImport(FoundationNetworking)
    @Test("refuses download tasks on Linux, of every form, and sends nothing")
    func downloads() async throws {
        let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response() }
        let session = routedSession(through: try HTTP.Client(transport: transport) {})
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
            #expect(cause?.code == .unsupportedTask)
        }
        #expect(transport.sent.isEmpty)
    }

    @Test("sends the body of upload tasks, not the request's old one")
    func uploads() async throws {
        let echo = ScriptedTransport<HTTP.Request> { request, _ in
            HTTP.Response(body: .bytes(try await request.body.collect()))
        }
        let session = routedSession(through: try HTTP.Client(transport: echo) {})
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("\(UUID().uuidString).txt")
        try Data("from a file".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let request = urlRequest("http://api.example.com/", "POST", body: "old")

        let (data, _) = try await session.upload(for: request, from: Data("new".utf8))
        let (read, _) = try await session.upload(for: request, fromFile: file)

        #expect(String(decoding: data, as: UTF8.self) == "new")
        #expect(String(decoding: read, as: UTF8.self) == "from a file")
    }

    @Test("refuses an upload whose body only a delegate can provide")
    func streamedUpload() async throws {
        let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response() }
        let ended = AsyncStream.makeStream(of: URLError?.self)
        let log = DelegateLog { facts in
            if let ending = facts.endings.last { ended.continuation.yield(ending) }
        }
        let session = routedSession(
            through: try HTTP.Client(transport: transport) {},
            delegate: log
        )

        session.uploadTask(
            withStreamedRequest: urlRequest("http://api.example.com/", "POST", body: "old")
        ).resume()
        var endings = ended.stream.makeAsyncIterator()
        let error = await endings.next() ?? nil

        let cause = error?.userInfo[NSUnderlyingErrorKey] as? RoutingError
        #expect(cause?.code == .unsupportedTask)
        #expect(transport.sent.isEmpty)
    }
    #endif

    private func client(answering body: HTTP.Body) throws -> HTTP.Client {
        try HTTP.Client(
            transport: ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(body: body) }
        ) {}
    }

    private func pieces(of content: Data) -> HTTP.Body {
        .replayable {
            AsyncStream { stream in
                for start in Swift.stride(from: 0, to: content.count, by: 7000) {
                    stream.yield(content[start..<min(start + 7000, content.count)])
                }
                stream.finish()
            }
        }
    }
}

func failure<Value>(of result: Result<Value, URLError>) -> URLError? {
    if case .failure(let error) = result { error } else { nil }
}
