#if AsyncHTTPClient
import AsyncHTTPClient
import Expectations
import Foundation
import InterceptorKit
import InterceptorKitAsyncHTTPClient
import NIOCore
import NIOPosix
import TestRun
import Testing

@Suite(
    "AsyncHTTPClientTransport with a response before the body is sent",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct EarlyResponseTests {
    @Test(
        "delivers it, also if the host closes the connection after it",
        arguments: [("411 Length Required", "need"), ("413 Too Large", ""), ("200 OK", "fine")]
    )
    func closing(status: String, text: String) async throws {
        let fields = "Connection: close\r\nContent-Length: \(text.utf8.count)"
        let server = try await Self.server(
            answering: "HTTP/1.1 \(status)\r\n\(fields)\r\n\r\n\(text)"
        )
        defer { server.close(promise: nil) }

        let response = try await post(to: server)

        expectTrue(status.hasPrefix("\(response.status.code) "))
        try await expectEqual(response.text(), text)
    }

    @Test("says of a reset in its place that the request may have arrived")
    func reset() async throws {
        let server = try await Self.server(answering: nil)
        defer { server.close(promise: nil) }

        let error = await #expect(throws: TransportError.self) { try await post(to: server) }

        expectEqual(error?.code, .connectionLost)
        expectEqual(error?.isUnsent, false)
    }

    private func post(to server: any Channel) async throws -> HTTP.Response {
        var configuration = AsyncHTTPClientTransport.defaultConfiguration
        // So that most of the request waits to be sent.
        configuration.http1_1ConnectionDebugInitializer = {
            $0.setOption(.socketOption(.so_sndbuf), value: 4096)
        }
        let transport = AsyncHTTPClientTransport(configuration: configuration)
        let url = HTTP.URL("http://127.0.0.1:\(raw: "\(server.localAddress?.port ?? 0)")/")
        return try await transport.send(
            .post(url, body: .bytes(Data(count: 1_000_000))),
            call: Call()
        )
    }

    /// Answers a request's first bytes, or resets its connection, and reads no others.
    private static func server(answering answer: String?) async throws -> any Channel {
        try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_rcvbuf), value: 4096)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AnsweringOnce(answer))
                }
            }
            .bind(host: "127.0.0.1", port: 0)
            .get()
    }
}

private final class AnsweringOnce: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let answer: String?

    init(_ answer: String?) { self.answer = answer }

    func channelActive(context: ChannelHandlerContext) { context.read() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // With bytes unread, the end is a reset.
        guard let answer else { return context.close(promise: nil) }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer)), promise: nil)
    }
}
#endif
