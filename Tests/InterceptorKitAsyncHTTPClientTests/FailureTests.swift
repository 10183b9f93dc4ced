#if AsyncHTTPClient
import Expectations
import Foundation
import InterceptorKit
import InterceptorKitAsyncHTTPClient
import InterceptorKitTesting
import NIOCore
import NIOPosix
import TestRun
import Testing

@Suite(
    "AsyncHTTPClientTransport with requests that cannot be sent",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct FailureTests {
    private let transport = AsyncHTTPClientTransport()

    static let impossible: [(HTTP.Request, HTTP.RequestError.Code)] = [
        (.get("", headers: ["X-A": "1\r\nX-Injected: 1"]), .invalidField),
        (.get("", headers: ["X-A": "1\u{1}"]), .invalidField),
        (.get("", headers: ["Content-Length": "1"]), .invalidField),
        (HTTP.Request("GET / HTTP/1.1\r\nX-Injected: 1\r\n", ""), .invalidMethod),
        (HTTP.Request(.trace, "", body: "x"), .invalidBody),
    ]

    @Test(
        "refuses a request that cannot be sent unchanged, and sends nothing",
        arguments: impossible.indices
    )
    func refusesImpossible(index: Int) async throws {
        let server = try LoopbackServer { _ in .status(200) }
        var (request, code) = FailureTests.impossible[index]
        request.url = server.url("/")

        let error = await #expect(throws: HTTP.RequestError.self) {
            try await transport.send(request, call: Call())
        }

        expectEqual(error?.code, code)
        expectTrue(server.requests.isEmpty)
    }

    @Test("says that a port without TLS was there")
    func plainPort() async throws {
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Refusing())
                }
            }
            .bind(host: "127.0.0.1", port: 0)
            .get()
        defer { server.close(promise: nil) }
        let port = server.localAddress?.port ?? 0

        let error = await #expect(throws: TransportError.self) {
            try await transport.send(
                .get(HTTP.URL("https://127.0.0.1:\(raw: "\(port)")/")),
                call: Call()
            )
        }

        expectEqual(error?.code, .tls)
        expectEqual(error?.message.contains("answered, but not with TLS"), true)
    }

    @Test("throws a body stream's own error unchanged")
    func failingBody() async throws {
        struct Broken: Error {}
        let server = try LoopbackServer { _ in .status(200) }
        let failing = AsyncThrowingStream<Data, any Error> { $0.finish(throwing: Broken()) }

        await #expect(throws: Broken.self) {
            try await transport.send(
                .post(server.url("/"), body: .oneShot(failing)),
                call: Call()
            )
        }

        expectTrue(server.requests.isEmpty)
    }

    @Test("throws a TransportError, not a cancellation, for a cancelled body")
    func cancelledBody() async throws {
        let server = try LoopbackServer { _ in .status(200) }
        let body = HTTP.Body.oneShot(AsyncStream<Data> { $0.finish() })
        body.cancel()

        await #expect(throws: TransportError.self) {
            try await transport.send(.put(server.url("/"), body: body), call: Call())
        }
    }
}

/// Answers as servers for http do to what is none.
private final class Refusing: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let text = ByteBuffer(string: "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
        context.writeAndFlush(wrapOutboundOut(text), promise: nil)
    }
}
#endif
