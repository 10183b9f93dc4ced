import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTesting
import TestRun
import Testing

@Suite(
    "LoopbackServer.Reply of a stream",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct LoopbackReplyStreamTests {
    private static let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    private func stream(_ chunks: [String]) -> AsyncStream<Data> {
        AsyncStream { source in
            for chunk in chunks { source.yield(Data(chunk.utf8)) }
            source.finish()
        }
    }

    private func exchange(_ reply: LoopbackServer.Reply) throws -> (String, RawClient.End) {
        let server = try LoopbackServer { _ in reply.closingAfter() }
        let client = try RawClient(port: server.port)
        client.send(Self.request)
        return (client.readToEnd(), client.end)
    }

    @Test("sends a stream in chunks, with trailers, or with its length")
    func frames() throws {
        let (chunked, _) = try exchange(
            .status(200, body: .oneShot(stream(["ab", "c"]))).trailers(["X-T": "1"])
        )
        let (sized, _) = try exchange(
            .status(200, body: .oneShot(length: 3, stream(["ab", "c"])))
        )

        expectEqual(
            chunked,
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
                + "2\r\nab\r\n1\r\nc\r\n0\r\nX-T: 1\r\n\r\n"
        )
        expectEqual(sized, "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc")
    }

    @Test("sends a chunk before the next is produced, and keeps the connection")
    func sendsPromptly() throws {
        let (chunks, source) = AsyncStream.makeStream(of: Data.self)
        let server = try LoopbackServer { request in
            request.number == 1 ? .status(200, body: .oneShot(chunks)) : .text("next")
        }
        let client = try RawClient(port: server.port)

        client.send(Self.request)
        source.yield(Data("ab".utf8))
        let first = client.read(until: "2\r\nab\r\n")
        source.yield(Data("c".utf8))
        source.finish()
        let rest = client.read(until: "0\r\n\r\n")
        client.send(Self.request)
        let next = client.read(until: "next")

        expectTrue(first.hasSuffix("2\r\nab\r\n"))
        expectEqual(rest, "1\r\nc\r\n0\r\n\r\n")
        expectTrue(next.hasPrefix("HTTP/1.1 200 OK"))
        expectEqual(server.connectionCount, 1)
    }

    @Test("resets the connection when the stream throws")
    func fails() throws {
        let failing = AsyncThrowingStream<Data, any Error> { source in
            source.yield(Data("ab".utf8))
            source.finish(throwing: CancellationError())
        }

        let (text, end) = try exchange(.status(200, body: .oneShot(failing)))

        expectTrue(text.hasSuffix("2\r\nab\r\n"))
        expectEqual(end, .reset)
    }

    @Test("produces only what the client reads, and ends with either side")
    func bounded() async throws {
        let made = Recorded<Int>()
        let (events, event) = AsyncStream.makeStream(of: Void.self)
        let body = HTTP.Body.replayable {
            AsyncStream<Data> {
                made.note(1)
                event.yield()
                return Data(count: 1 << 20)
            }
        }
        let server = try LoopbackServer { _ in .status(200, body: body) }
        var seen = events.makeAsyncIterator()

        do {
            let client = try RawClient(port: server.port)
            client.send(Self.request)
            for _ in 0..<3 { await seen.next() }
        }
        try await server.waitForOpenConnections(0)
        let client = try RawClient(port: server.port)
        client.send(Self.request)
        try await server.waitForRequests(2)
        server.stop()

        expectTrue(made.values.count < 200)
        expectEqual(server.openConnections, 0)
    }
}
