import Expectations
import InterceptorKit
import Testing

@testable import InterceptorKitLoopback

@Suite("FramedBody")
struct FramedBodyTests {
    private let plain = LoopbackServer.Reply.status(200, body: "abcde")

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

        expectEqual(String(decoding: result, as: UTF8.self), framed)
    }

    @Test("frames an empty body as the last chunk alone")
    func framesEmptyBody() {
        let result = FramedBody.bytes(.status(200).trailers(["A": "1"]))

        expectEqual(String(decoding: result, as: UTF8.self), "0\r\nA: 1\r\n\r\n")
    }
}
