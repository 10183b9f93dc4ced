#if Redis
import InterceptorKit
import NIOCore
import NIOPosix

#if RedisTLS
import NIOSSL
#endif

/// A link over a channel of SwiftNIO.
struct ChannelLink: RedisLink {
    private let channel: any Channel

    init(_ channel: any Channel) { self.channel = channel }

    func send(_ bytes: @escaping @Sendable () -> ByteBuffer?) {
        channel.eventLoop.execute { [channel] in
            guard let bytes = bytes() else { return }
            channel.writeAndFlush(bytes, promise: nil)
        }
    }

    func close() { channel.close(promise: nil) }

    /// Returns a closure that opens links to a server. All links of a client share one event loop of the process,
    /// because more replies are then read, and more commands written, at once.
    /// - Throws: An error for TLS settings that cannot work.
    static func opener(to settings: RedisSettings) throws -> RedisLinkOpener {
        #if RedisTLS
        let context = try settings.tls.map { try NIOSSLContext(configuration: $0) }
        #endif
        let (host, port, limit) = (settings.host, settings.port, settings.timeout)
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        return { receiver in
            let bootstrap = ClientBootstrap(group: loop)
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .channelOption(.socketOption(.so_keepalive), value: 1)
                .connectTimeout(.nanoseconds(Int64(min(limit / .nanoseconds(1), 1e18))))
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let pipeline = channel.pipeline.syncOperations
                        #if RedisTLS
                        if let context { try pipeline.addHandler(Self.tls(context, host)) }
                        #endif
                        try pipeline.addHandler(ReceivingHandler(receiver))
                    }
                }
            return ChannelLink(try await bootstrap.connect(host: host, port: port).get())
        }
    }

    #if RedisTLS
    private static func tls(_ context: NIOSSLContext, _ host: String) throws -> NIOSSLClientHandler
    {
        // SNI has no IP addresses. The certificate is compared with the address all the same.
        let isAddress = (try? SocketAddress(ipAddress: host, port: 0)) != nil
        return try NIOSSLClientHandler(context: context, serverHostname: isAddress ? nil : host)
    }
    #endif
}

/// Passes the bytes that a channel reads, and its end, to the receiver.
private final class ReceivingHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let receiver: any RedisLinkReceiver

    init(_ receiver: any RedisLinkReceiver) { self.receiver = receiver }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        receiver.receive(unwrapInboundIn(data))
    }

    func channelInactive(context: ChannelHandlerContext) {
        receiver.end(nil)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        receiver.end(error)
        context.close(promise: nil)
    }
}
#endif
