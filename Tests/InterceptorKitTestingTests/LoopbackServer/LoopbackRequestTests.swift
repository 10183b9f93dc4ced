import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestRun
import Testing

@Suite("LoopbackServer.Request", .tags(.sockets), .serializedAcrossSuites)
struct LoopbackRequestTests {
    @Test("records the head of a request exactly as it was sent")
    func recordsRawHead() throws {
        let server = try LoopbackServer(script: [.status(204)])
        let client = try RawClient(port: server.port)
        let head = "POST /a HTTP/1.1\r\nhOST: a\r\nX-A:  1 \r\nx-a:2\r\ncontent-length: 2\r\n\r\n"

        client.send(head + "hi")
        let reply = client.read(until: "\r\n\r\n")

        let request = try unwrap(server.requests.first)
        expectEqual(String(decoding: request.rawHead, as: UTF8.self), head)
        expectEqual(request.headers.map(\.name), ["hOST", "X-A", "x-a", "content-length"])
        expectEqual(request.headers["X-A"], "1, 2")
        expectEqual(request.method, .post)
        expectEqual(request.text, "hi")
        expectEqual(reply, "HTTP/1.1 204 No Content\r\n\r\n")
    }

    @Test("shows no query, field or body in its description or a dump")
    func hidesSecrets() throws {
        let server = try LoopbackServer(script: [.status(204)])
        let client = try RawClient(port: server.port)

        client.send(
            "PUT /a?token=s3cr3t HTTP/1.1\r\nHost: a\r\nCookie: s3cr3t\r\nContent-Length: 6\r\n\r\n"
                + "s3cr3t"
        )
        _ = client.read(until: "\r\n\r\n")

        let request = try unwrap(server.requests.first)
        var text = ""
        dump(request, to: &text)
        expectEqual(request.description, "#1 PUT /a on connection 1")
        expectEqual(request.query, "token=s3cr3t")
        expectTrue(text.contains("#1 PUT /a"))
        expectTrue(!text.contains("s3cr3t"))
    }
}
