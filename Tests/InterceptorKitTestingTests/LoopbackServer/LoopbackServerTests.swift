import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestRun
import Testing

@Suite("LoopbackServer", .tags(.sockets), .serializedAcrossSuites)
struct LoopbackServerTests {
    private static func get(_ target: String, _ fields: String = "") -> String {
        "GET \(target) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n"
    }

    private static func response(_ text: String) -> String {
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\n"
            + "Content-Length: \(text.utf8.count)\r\n\r\n\(text)"
    }

    @Test("responds to two requests on one connection, byte for byte")
    func keepsAlive() throws {
        let server = try LoopbackServer(script: [.text("one"), .text("two")])
        let client = try RawClient(port: server.port)

        client.send(Self.get("/1"))
        let first = client.read(until: "one")
        client.send(Self.get("/2?x=%20"))
        let second = client.read(until: "two")

        expectEqual(first, Self.response("one"))
        expectEqual(second, Self.response("two"))
        expectEqual(server.requests.map(\.target), ["/1", "/2?x=%20"])
        expectEqual(server.requests.map(\.path), ["/1", "/2"])
        expectEqual(server.requests.map(\.query), [nil, "x=%20"])
        expectEqual(server.requests.map(\.url), ["http://a/1", "http://a/2?x=%20"])
        expectEqual(server.requests.map(\.connection), [1, 1])
        expectEqual(server.requests.map(\.number), [1, 2])
        expectEqual(server.connectionCount, 1)
        expectEqual(server.openConnections, 1)
    }

    @Test("reports an open connection as a leak, and shows no request's secrets")
    func leaks() async throws {
        let server = try LoopbackServer(script: [.text("one")])
        try requireNoLeaks(in: server)
        var client: RawClient? = try RawClient(port: server.port)
        client?.send(Self.get("/1?token=s3cret", "Authorization: s3cret\r\n"))
        _ = client?.read(until: "one")

        let error = #expect(throws: TestKitError.self) { try requireNoLeaks(in: server) }

        expectEqual(error?.leaks, ["1 open connections to the server at \(server.origin)"])
        expectEqual(server.requests.map(\.description), ["#1 GET /1 on connection 1"])
        client = nil
        try await server.waitForOpenConnections(0)
        try requireNoLeaks(in: server)
    }

    @Test("responds to pipelined requests in order, even if the first is slow")
    func pipelines() throws {
        let server = try LoopbackServer(script: [
            .text("one").delayed(by: .milliseconds(30)), .text("two"), .text("three"),
        ])
        let client = try RawClient(port: server.port)

        client.send(Self.get("/1") + Self.get("/2") + Self.get("/3"))
        let replies = client.read(until: "three")

        expectEqual(replies, ["one", "two", "three"].map(Self.response).joined())
    }

    @Test("reads a chunked body that arrives in pieces")
    func readsChunks() async throws {
        let server = try LoopbackServer { .text($0.text.uppercased()) }
        let client = try RawClient(port: server.port)

        client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nab")
        client.send("c\r\n4;ext=1\r\ndefg\r")
        client.send("\n0\r\nX-Sum: 7\r\n\r\n")
        let reply = client.read(until: "ABCDEFG")

        expectEqual(reply, Self.response("ABCDEFG"))
        expectEqual(server.requests.first?.chunkSizes, [3, 4])
        expectEqual(server.requests.first?.trailers, ["X-Sum": "7"])
    }

    @Test("sends a length but no body to HEAD, and neither with 204")
    func omitsBodies() throws {
        let server = try LoopbackServer(script: [
            .text("hello"), .status(204, body: "no"), .status(304, body: "no"), .text("end"),
        ])
        let client = try RawClient(port: server.port)

        client.send(
            "HEAD / HTTP/1.1\r\nHost: a\r\n\r\n" + Self.get("/") + Self.get("/") + Self.get("/")
        )
        let replies = client.read(until: "end")

        let head =
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 5\r\n\r\n"
        let rest = "HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 304 Not Modified\r\n\r\n"
        expectEqual(replies, head + rest + Self.response("end"))
    }

    @Test("reports at which request its script is exhausted")
    func runsDry() throws {
        let server = try LoopbackServer(script: [.text("one")])
        let client = try RawClient(port: server.port)

        client.send(Self.get("/") + Self.get("/"))
        let replies = client.read(until: "request 2.")

        expectTrue(
            replies.hasPrefix(Self.response("one") + "HTTP/1.1 500 Internal Server Error\r\n")
        )
        expectTrue(replies.hasSuffix("\r\n\r\nThe script of 1 replies ran dry at request 2."))
    }

    @Test("responds with 100 to an expectation before the body arrives")
    func answersExpectation() throws {
        let server = try LoopbackServer { .text("got \($0.text)") }
        let client = try RawClient(port: server.port)

        client.send(
            "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n"
        )
        let first = client.read(until: "\r\n\r\n")
        client.send("abc")
        let second = client.read(until: "got abc")

        expectEqual(first, "HTTP/1.1 100 Continue\r\n\r\n")
        expectEqual(second, Self.response("got abc"))
    }

    @Test(
        "closes the connection when the client asks, and for HTTP/1.0",
        arguments: [
            "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", "GET / HTTP/1.0\r\n\r\n",
        ]
    )
    func closesWhenAsked(request: String) throws {
        let server = try LoopbackServer(script: [.status(200, body: "x")])
        let client = try RawClient(port: server.port)

        client.send(request)
        let reply = client.readToEnd()

        expectEqual(reply, "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nConnection: close\r\n\r\nx")
        expectEqual(client.end, .closed)
    }

    @Test(
        "responds to a body over the limit with 413 and closes",
        arguments: [
            "Content-Length: 11\r\n\r\n0123456789a",
            "Transfer-Encoding: chunked\r\n\r\n6\r\n012345\r\n5\r\n6789a\r\n0\r\n\r\n",
        ]
    )
    func refusesLargeBody(rest: String) throws {
        var options = LoopbackServer.Options()
        options.bodyLimit = 10
        let server = try LoopbackServer(script: [.text("never")], options: options)
        let client = try RawClient(port: server.port)

        client.send("POST / HTTP/1.1\r\nHost: a\r\n" + rest)
        let reply = client.readToEnd()

        expectTrue(reply.hasPrefix("HTTP/1.1 413 Content Too Large\r\n"))
        expectEqual(client.end, .closed)
        expectTrue(server.requests.isEmpty)
    }

    @Test("lets a client that sends too much read the 413 instead of a reset")
    func readsAwayWhatIsRefused() throws {
        var options = LoopbackServer.Options()
        options.bodyLimit = 10
        let server = try LoopbackServer(script: [], options: options)
        let body = String(repeating: "x", count: 8_000_000)
        let client = try RawClient(port: server.port)

        let isSent = client.send(
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 8000000\r\n\r\n" + body
        )
        let reply = client.readToEnd()

        expectTrue(isSent)
        expectTrue(reply.hasPrefix("HTTP/1.1 413 Content Too Large\r\n"))
        expectTrue(reply.hasSuffix("The request's body is larger than 10 bytes."))
        expectEqual(client.end, .closed)
    }
}

/// Opens when so many have arrived, who wait for it.
actor Latch {
    private var missing: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) { missing = count }

    func arrive() async {
        missing -= 1
        await opened()
    }

    func opened() async {
        if missing > 0 { return await withCheckedContinuation { waiting.append($0) } }
        for continuation in waiting { continuation.resume() }
        waiting = []
    }
}

/// Returns when the task is cancelled, and not before.
func untilCancelled() async {
    for await _ in AsyncStream<Never>(bufferingPolicy: .unbounded, { _ in }) {}
}
