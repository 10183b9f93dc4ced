import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestRun
import Testing

@Suite("LoopbackServer.Reply with faults and pauses", .tags(.sockets), .serializedAcrossSuites)
struct LoopbackReplyFaultTests {
    private static let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    private func exchange(
        _ reply: LoopbackServer.Reply
    ) throws -> (text: String, end: RawClient.End, took: Duration) {
        let server = try LoopbackServer(script: [reply])
        let client = try RawClient(port: server.port)
        let start = ContinuousClock.now
        client.send(Self.request)
        let text = client.readToEnd()
        return (text, client.end, ContinuousClock.now - start)
    }

    private func reply(_ body: String) -> LoopbackServer.Reply { .status(200, body: body) }

    @Test("sends slices with pauses between them")
    func throttles() throws {
        let slow = reply("abcdef").throttled(bytes: 2, every: .milliseconds(20)).closingAfter()

        let result = try exchange(slow)

        expectTrue(result.text.hasSuffix("\r\n\r\nabcdef"))
        expectTrue(result.took >= .milliseconds(40))
    }

    @Test("sends chunks, a preliminary response and trailers")
    func sendsChunks() throws {
        let chunked = LoopbackServer.Reply.status(200, headers: ["x-Order": "1"], body: "abcde")
            .chunked(size: 3)
            .trailers(["X-Sum": "5"])
            .preceded(by: 103, headers: ["Link": "</a>"])
            .closingAfter()

        let result = try exchange(chunked)

        expectEqual(
            result.text,
            "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
                + "HTTP/1.1 200 OK\r\nx-Order: 1\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n"
                + "\r\n3\r\nabc\r\n2\r\nde\r\n0\r\nX-Sum: 5\r\n\r\n"
        )
        expectEqual(result.end, .closed)
    }

    @Test("resets before the reply")
    func resets() throws {
        let result = try exchange(.reset)

        expectEqual(result.text, "")
        expectEqual(result.end, .reset)
    }

    @Test("resets inside the body after the client has read the part before")
    func resetsInBody() throws {
        let result = try exchange(reply("abcdef").resetInBody(after: 3))

        expectEqual(result.text, "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc")
        expectEqual(result.end, .reset)
    }

    @Test("resets a large body only after the part before has arrived")
    func resetsInLargeBody() throws {
        let body = String(repeating: "0123456789", count: 500_000)

        let result = try exchange(reply(body).resetInBody(after: 4_000_000))

        expectTrue(result.text.hasSuffix("\r\n\r\n" + body.prefix(4_000_000)))
        expectEqual(result.end, .reset)
    }

    @Test(
        "holds a stalled connection until the server stops",
        arguments: [
            (LoopbackServer.Reply.stalled, ""),
            (
                .status(200, body: "abc").stalledInBody(after: 1),
                "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\na"
            ),
        ]
    )
    func stalls(reply: LoopbackServer.Reply, seen: String) async throws {
        let server = try LoopbackServer(script: [reply])
        let client = try RawClient(port: server.port)

        client.send(Self.request)
        try await server.waitForRequests(1)
        let early = seen.isEmpty ? "" : client.read(until: seen)
        let open = server.openConnections
        server.stop()
        let late = client.readToEnd()

        expectEqual(early, seen)
        expectEqual(late, "")
        expectEqual(open, 1)
        expectEqual(client.end, .closed)
        expectEqual(server.openConnections, 0)
    }

    @Test("names the header field of a reply that cannot be sent")
    func refusesBadFields() throws {
        let bad = LoopbackServer.Reply.status(200, headers: ["Bad Name": "1"]).closingAfter()
        let server = try LoopbackServer(script: [bad])
        let client = try RawClient(port: server.port)

        client.send(Self.request)
        let text = client.read(until: "9110 section 5.6.2).")

        expectTrue(text.hasPrefix("HTTP/1.1 500 Internal Server Error\r\n"))
        expectTrue(text.contains("Bad Name"))
    }

    @Test("sends a large body whole to a slow reader")
    func sendsLargeBodies() throws {
        let body = String(repeating: "0123456789", count: 1_000_000)

        let result = try exchange(reply(body).closingAfter())

        expectTrue(result.text.hasSuffix("\r\n\r\n" + body))
        expectEqual(result.end, .closed)
    }

    @Test("closes or resets within the head")
    func cutsHead() throws {
        let cut = try exchange(reply("ab").truncatedInHead(after: 9))
        let reset = try exchange(reply("ab").resetInHead(after: 12))

        expectEqual(cut.text, "HTTP/1.1 ")
        expectEqual(cut.end, .closed)
        expectEqual(reset.text, "HTTP/1.1 200")
        expectEqual(reset.end, .reset)
    }

    @Test("stalls within the head and keeps the connection open")
    func stallsInHead() throws {
        let server = try LoopbackServer(script: [reply("ab").stalledInHead(after: 9)])
        let client = try RawClient(port: server.port)

        client.send(Self.request)
        let text = client.read(until: "HTTP/1.1 ")

        expectEqual(text, "HTTP/1.1 ")
        expectEqual(server.openConnections, 1)
    }

    @Test("closes or resets after the response without announcing it")
    func endsAfter() throws {
        let expected = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab"

        let closed = try exchange(reply("ab").closedSilentlyAfter())
        let reset = try exchange(reply("ab").resetAfter())

        expectEqual([closed.text, reset.text], [expected, expected])
        expectEqual([closed.end, reset.end], [.closed, .reset])
    }

    static let negative: [(LoopbackServer.Reply, String)] = [
        (.text("x").delayed(by: .seconds(-1)), "delayed(by:)"),
        (.text("x").bodyDelayed(by: .seconds(-1)), "bodyDelayed(by:)"),
        (.text("x").throttled(bytes: 1, every: .seconds(-1)), "throttled(bytes:every:)"),
    ]

    @Test("names which duration is negative", arguments: negative.indices)
    func negativeDuration(index: Int) throws {
        let (reply, place) = LoopbackReplyFaultTests.negative[index]
        let server = try LoopbackServer { _ in reply.closingAfter() }
        let client = try RawClient(port: server.port)

        let error = #expect(throws: SettingError.self) {
            try LoopbackServer(script: [.text("fine"), reply])
        }
        client.send("GET / HTTP/1.0\r\n\r\n")
        let answer = client.readToEnd()

        expectEqual(error?.setting, "Reply 2.\(place)")
        expectTrue(answer.hasPrefix("HTTP/1.1 500"))
        expectTrue(answer.contains(place))
    }
}
