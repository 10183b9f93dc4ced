import Expectations
import InterceptorKit
import TestRun
import Testing

@testable import InterceptorKitLoopback

@Suite("ReplyWriter", .tags(.sockets), .serializedAcrossSuites)
struct ReplyWriterTests {
    private let plain = LoopbackServer.Reply.status(200, body: "abcde")

    @Test("sends head and body as one piece")
    func joinsHeadAndBody() {
        expectEqual(steps(plain), ["HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabcde"])
    }

    @Test("sends unsolicited bytes after the response, and closes after them")
    func stray() {
        let reply = plain.followed(by: "more", after: .seconds(1))

        expectEqual(steps(reply).suffix(2), ["wait 1.0 seconds", "more"])
        expectEqual(steps(reply.closingAfter()).suffix(3), ["wait 1.0 seconds", "more", "close"])
    }

    @Test("waits before the head, the body and between the body's slices")
    func waits() {
        let reply = plain.preceded(by: 102)
            .delayed(by: .seconds(1)).bodyDelayed(by: .seconds(2))
            .throttled(bytes: 2, every: .seconds(3))

        expectEqual(
            steps(reply),
            [
                "HTTP/1.1 102 Processing\r\n\r\n", "wait 1.0 seconds",
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", "wait 2.0 seconds",
                "ab", "wait 3.0 seconds", "cd", "wait 3.0 seconds", "e",
            ]
        )
    }

    @Test("goes on with the body after its pauses, within a chunk too")
    func pauses() {
        let reply = plain.paused(after: 4, for: .seconds(2)).paused(after: 0, for: .seconds(1))
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

        expectEqual(
            steps(reply),
            [
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", "wait 1.0 seconds", "abcd",
                "wait 2.0 seconds", "e",
            ]
        )
        expectEqual(
            steps(plain.chunked().paused(after: 2, for: .seconds(1))),
            [head + "5\r\nab", "wait 1.0 seconds", "cde\r\n0\r\n\r\n"]
        )
        expectEqual(
            steps(plain.paused(after: 9, for: .seconds(1))).suffix(2).first,
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabcde"
        )
    }

    @Test("sends the header fields of a body to HEAD, but no body")
    func omitsBodyForHead() {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

        expectEqual(steps(plain.truncated(after: 1), .head).count, 1)
        expectEqual(steps(plain.chunked(), .head), [head])
        expectEqual(steps(plain.endingWithConnection(), .head), ["HTTP/1.1 200 OK\r\n\r\n"])
    }
}
