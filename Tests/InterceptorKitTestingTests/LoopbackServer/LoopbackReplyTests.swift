import Expectations
import InterceptorKit
import InterceptorKitTesting
import Testing

@Suite("LoopbackServer.Reply")
struct LoopbackReplyTests {
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
        expectEqual(steps(reply), expected)
    }
}
