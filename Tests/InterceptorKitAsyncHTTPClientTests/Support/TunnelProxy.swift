#if AsyncHTTPClient
import NIOCore
import NIOPosix

/// A proxy that answers CONNECT with given bytes, and with a tunnel if those say so.
final class TunnelProxy: Sendable {
    let port: Int
    private let channel: any Channel

    private init(_ channel: any Channel) {
        self.channel = channel
        port = channel.localAddress?.port ?? 0
    }

    deinit { channel.close(promise: nil) }

    static func start(answering answer: String, tunnels: Bool) async throws -> TunnelProxy {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handler = ConnectHandler(answer, tunnels: tunnels)
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }
            .bind(host: "127.0.0.1", port: 0)
            .get()
        return TunnelProxy(channel)
    }
}

/// Answers a head, and then passes bytes on.
private final class ConnectHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let answer: String
    private let tunnels: Bool
    private var head = ""
    private var peer: (any Channel)?

    init(_ answer: String, tunnels: Bool) {
        self.answer = answer
        self.tunnels = tunnels
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        if let peer { return peer.writeAndFlush(bytes, promise: nil) }
        head += String(buffer: bytes)
        guard head.hasSuffix("\r\n\r\n") else { return }
        guard tunnels else { return send(answer, context) }
        // "CONNECT 127.0.0.1:443 HTTP/1.1"
        let target = head.split(separator: " ")[1].split(separator: ":")
        let channel = context.channel
        let this = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        ClientBootstrap(group: context.eventLoop)
            .channelInitializer { $0.pipeline.addHandler(PassingHandler(to: channel)) }
            .connect(host: "127.0.0.1", port: Int(target[1]) ?? 0)
            .whenSuccess { peer in
                let (handler, context) = this.value
                handler.peer = peer
                handler.send(handler.answer, context)
            }
    }

    func channelInactive(context: ChannelHandlerContext) { peer?.close(promise: nil) }

    private func send(_ text: String, _ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
    }
}

private final class PassingHandler: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer

    private let peer: any Channel

    init(to peer: any Channel) { self.peer = peer }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        peer.writeAndFlush(unwrapInboundIn(data), promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) { peer.close(promise: nil) }
}
#endif
