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

        let request = try #require(server.requests.first)
        #expect(String(decoding: request.rawHead, as: UTF8.self) == head)
        #expect(request.headers.map(\.name) == ["hOST", "X-A", "x-a", "content-length"])
        #expect(request.headers["X-A"] == "1, 2")
        #expect(request.method == .post)
        #expect(request.text == "hi")
        #expect(reply == "HTTP/1.1 204 No Content\r\n\r\n")
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

        let request = try #require(server.requests.first)
        var text = ""
        dump(request, to: &text)
        #expect(request.description == "#1 PUT /a on connection 1")
        #expect(request.query == "token=s3cr3t")
        #expect(text.contains("#1 PUT /a"))
        #expect(!text.contains("s3cr3t"))
    }
}
