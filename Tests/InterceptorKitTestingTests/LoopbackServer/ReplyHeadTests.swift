import Expectations
import InterceptorKit
import Testing

@testable import InterceptorKitLoopback

@Suite("ReplyHead")
struct ReplyHeadTests {
    private let plain = LoopbackServer.Reply.status(200, body: "abcde")

    @Test("keeps the given header fields and adds none twice")
    func keepsGivenFields() {
        let length = LoopbackServer.Reply.status(200, headers: ["content-length": "9"], body: "abc")
        let close = LoopbackServer.Reply.status(200, headers: ["connection": "Close"], body: "")

        expectEqual(steps(length), ["HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc"])
        expectEqual(
            steps(close),
            [
                "HTTP/1.1 200 OK\r\nconnection: Close\r\nContent-Length: 0\r\n\r\n", "close",
            ]
        )
    }

    @Test("sends a custom reason phrase, and a status that has none")
    func sendsReasons() {
        expectTrue(steps(plain.reason("Fine"))[0].hasPrefix("HTTP/1.1 200 Fine\r\n"))
        expectTrue(steps(.status(299))[0].hasPrefix("HTTP/1.1 299 \r\n"))
    }

    @Test("closes after a body without an end, and when either side says so")
    func closes() {
        let unframed = plain.endingWithConnection()
        let told = LoopbackServer.Reply.status(200, headers: ["Connection": "a, Close"])

        expectTrue(unframed.closes(after: .get, keepsAlive: true))
        expectTrue(!unframed.closes(after: .head, keepsAlive: true))
        expectTrue(told.closes(after: .get, keepsAlive: true))
        expectTrue(!plain.closes(after: .get, keepsAlive: true))
        expectTrue(plain.closes(after: .get, keepsAlive: false))
    }

    @Test("replaces a reply that can't be sent by one that says why")
    func checked() {
        let bad: HTTP.Headers = ["Bad Name": "1"]

        let trailers = plain.trailers(bad).checked
        let interim = plain.preceded(by: 103, headers: bad).checked
        let stray = plain.followed(by: "x", after: .seconds(-1)).checked

        for reply in [trailers, interim] {
            expectEqual(reply.status, 500)
            expectTrue(String(decoding: reply.body, as: UTF8.self).contains("Bad Name"))
        }
        let text = String(decoding: stray.body, as: UTF8.self)
        expectTrue(text.contains("followed(by:after:)") && text.contains("-1 s"))
        expectEqual(plain.checked.status, 200)
    }
}
