import InterceptorKit
import TestRun
import Testing

@testable import InterceptorKitTesting

@Suite("ReplyWriter", .tags(.sockets), .serializedAcrossSuites)
struct ReplyWriterTests {
    private func steps(
        _ reply: LoopbackServer.Reply,
        _ method: HTTP.Method = .get,
        keepsAlive: Bool = true
    ) -> [String] {
        ReplyWriter(reply, method: method, keepsAlive: keepsAlive).steps.map { step in
            switch step {
            case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
            case .wait(let duration): "wait \(duration)"
            case .close: "close"
            case .reset: "reset"
            case .stall: "stall"
            case .stream: "stream"
            }
        }
    }

    private let plain = LoopbackServer.Reply.status(200, body: "abcde")

    @Test("sends head and body as one piece")
    func joinsHeadAndBody() {
        #expect(steps(plain) == ["HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabcde"])
    }

    @Test("sends unsolicited bytes after the response, and closes after them")
    func stray() {
        let reply = plain.followed(by: "more", after: .seconds(1))

        #expect(steps(reply).suffix(2) == ["wait 1.0 seconds", "more"])
        #expect(steps(reply.closingAfter()).suffix(3) == ["wait 1.0 seconds", "more", "close"])
    }

    @Test("waits before the head, the body and between the body's slices")
    func waits() {
        let reply = plain.preceded(by: 102)
            .delayed(by: .seconds(1)).bodyDelayed(by: .seconds(2))
            .throttled(bytes: 2, every: .seconds(3))

        #expect(
            steps(reply) == [
                "HTTP/1.1 102 Processing\r\n\r\n", "wait 1.0 seconds",
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", "wait 2.0 seconds",
                "ab", "wait 3.0 seconds", "cd", "wait 3.0 seconds", "e",
            ]
        )
    }

    @Test("keeps the given header fields and adds none twice")
    func keepsGivenFields() {
        let length = LoopbackServer.Reply.status(200, headers: ["content-length": "9"], body: "abc")
        let close = LoopbackServer.Reply.status(200, headers: ["connection": "Close"], body: "")

        #expect(steps(length) == ["HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc"])
        #expect(
            steps(close) == [
                "HTTP/1.1 200 OK\r\nconnection: Close\r\nContent-Length: 0\r\n\r\n", "close",
            ]
        )
    }

    @Test("sends a custom reason phrase, and a status that has none")
    func sendsReasons() {
        #expect(steps(plain.reason("Fine"))[0].hasPrefix("HTTP/1.1 200 Fine\r\n"))
        #expect(steps(.status(299))[0].hasPrefix("HTTP/1.1 299 \r\n"))
    }

    @Test("sends the header fields of a body to HEAD, but no body")
    func omitsBodyForHead() {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

        #expect(steps(plain.truncated(after: 1), .head).count == 1)
        #expect(steps(plain.chunked(), .head) == [head])
        #expect(steps(plain.endingWithConnection(), .head) == ["HTTP/1.1 200 OK\r\n\r\n"])
    }

    @Test(
        "frames chunks, and omits the last chunk when it truncates the body",
        arguments: [
            (nil as Int?, "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"),
            (0, ""), (1, "3\r\na"), (3, "3\r\nabc\r\n"), (4, "3\r\nabc\r\n2\r\nd"),
            (9, "3\r\nabc\r\n2\r\nde\r\n"),
        ]
    )
    func framesChunks(cut: Int?, framed: String) {
        let chunked = plain.chunked(size: 3)

        let result = FramedBody.bytes(cut.map { chunked.truncated(after: $0) } ?? chunked)

        #expect(String(decoding: result, as: UTF8.self) == framed)
    }

    @Test("frames an empty body as the last chunk alone")
    func framesEmptyBody() {
        let result = FramedBody.bytes(.status(200).trailers(["A": "1"]))

        #expect(String(decoding: result, as: UTF8.self) == "0\r\nA: 1\r\n\r\n")
    }

    @Test(
        "writes JSON, redirects, raw bytes, resets and stalls",
        arguments: [
            (
                LoopbackServer.Reply.json(["b": 1, "a": 2]),
                [
                    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 13\r\n\r\n{\"a\":2,\"b\":1}"
                ]
            ),
            (
                .json("[1, 2]", status: 201),
                [
                    "HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: 6\r\n\r\n[1, 2]"
                ]
            ),
            (
                .redirect(to: "/there"),
                ["HTTP/1.1 302 Found\r\nLocation: /there\r\nContent-Length: 0\r\n\r\n"]
            ),
            (.raw("x").delayed(by: .seconds(1)), ["wait 1.0 seconds", "x", "close"]),
            (.reset.delayed(by: .seconds(1)), ["wait 1.0 seconds", "reset"]),
            (.stalled, ["stall"]),
            (.closedBeforeReply, ["close"]),
        ]
    )
    func writesFactories(reply: LoopbackServer.Reply, expected: [String]) {
        #expect(steps(reply) == expected)
    }
}
