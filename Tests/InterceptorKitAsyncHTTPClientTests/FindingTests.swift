#if AsyncHTTPClient
import Expectations
import InterceptorKit
import InterceptorKitAsyncHTTPClient
import InterceptorKitTesting
import TestRun
import Testing

@Suite(
    "AsyncHTTPClientTransport on an engine's error",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct FindingTests {
    private let transport = AsyncHTTPClientTransport()

    static let broken: [(LoopbackServer.Reply, TransportError.Code)] = [
        (.reset, .connectionLost), (.closedBeforeReply, .connectionLost),
        (.raw("garbage\r\n\r\n"), .protocolViolation),
        (.text("0123456789").truncated(after: 4), .connectionLost),
        (.text("0123456789").resetInBody(after: 4), .connectionLost),
        (.text("0123456789").chunked(size: 10).truncated(after: 4), .connectionLost),
        (.raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"), .protocolViolation),
    ]

    @Test("names the failure and the peer, but not the path", arguments: broken.indices)
    func brokenResponse(index: Int) async throws {
        let (reply, code) = FindingTests.broken[index]
        let server = try LoopbackServer { _ in reply }

        let error = await #expect(throws: TransportError.self) {
            let request = HTTP.Request.get(server.url("/secret?token=s3"))
            _ = try await transport.send(request, call: Call()).body.collect()
        }

        expectEqual(error?.code, code)
        expectEqual(error?.isUnsent, false)
        expectTrue(error?.cause != nil)
        expectEqual(error?.description.contains("127.0.0.1:\(server.port)"), true)
        expectEqual(error?.description.contains("secret"), false)
        expectEqual(error?.description.contains("s3"), false)
    }

    @Test("reports a refused connection as known to be unsent")
    func refused() async throws {
        let server = try LoopbackServer { _ in .status(200) }
        let url = server.url("/")
        server.stop()

        let error = await #expect(throws: TransportError.self) {
            try await transport.send(.post(url, body: "x"), call: Call())
        }

        expectEqual(error?.code, .cannotConnect)
        expectEqual(error?.isUnsent, true)
    }

    @Test("reports a failed handshake with a server without TLS as unsent")
    func noTLS() async throws {
        let server = try LoopbackServer { _ in .status(200) }

        let error = await #expect(throws: TransportError.self) {
            try await transport.send(
                .post("https://127.0.0.1:\(raw: "\(server.port)")/", body: "x"),
                call: Call()
            )
        }

        expectEqual(error?.code, .tls)
        expectEqual(error?.isUnsent, true)
    }
}
#endif
