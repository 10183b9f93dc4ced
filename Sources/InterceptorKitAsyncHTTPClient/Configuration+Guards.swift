#if AsyncHTTPClient
import AsyncHTTPClient
import NIOCore
import NIOHTTP1

extension HTTPClient.Configuration {
    /// Refuses what AsyncHTTPClient 1.37 and SwiftNIO 2.101 take from a server and must not.
    ///
    /// Debug initializers are the only hook before the state machines that trap; those of the configuration run as
    /// well. A connection that has closed meanwhile takes no handler, and needs none.
    mutating func guardConnections() {
        http1_1ConnectionDebugInitializer = Self.running(http1_1ConnectionDebugInitializer) {
            guard !$0.has(HTTP1ResponseGuard.self) else { return }
            let decoder = try $0.context(
                handlerType: ByteToMessageHandler<HTTPResponseDecoder>.self
            )
            .handler
            let exchange = HTTP1Exchange()
            try $0.addHandler(UnsolicitedBytesGuard(exchange), position: .before(decoder))
            try $0.addHandler(HTTP1ResponseGuard(exchange), position: .after(decoder))
        }
        http2ConnectionDebugInitializer = Self.running(http2ConnectionDebugInitializer) {
            guard !$0.has(HTTP2ConnectionGuard.self) else { return }
            try $0.addHandler(HTTP2ConnectionGuard(), position: .last)
        }
        http2StreamChannelDebugInitializer = Self.running(http2StreamChannelDebugInitializer) {
            guard !$0.has(HTTP2ResponseGuard.self) else { return }
            let response = HTTP2ResponseGuard()
            try $0.addHandler(response, position: .first)
            try $0.addHandler(HTTP2ShutdownGuard(response), position: .last)
        }
    }

    private typealias Initializer = @Sendable (any Channel) -> EventLoopFuture<Void>

    private static func running(
        _ initializer: Initializer?,
        after guarding: @escaping @Sendable (ChannelPipeline.SynchronousOperations) throws -> Void
    ) -> Initializer {
        { channel in
            try? guarding(channel.pipeline.syncOperations)
            return initializer?(channel) ?? channel.eventLoop.makeSucceededVoidFuture()
        }
    }
}

extension ChannelPipeline.SynchronousOperations {
    // A guarded configuration may be guarded again.
    fileprivate func has(_ handler: (some ChannelHandler).Type) -> Bool {
        (try? context(handlerType: handler)) != nil
    }
}
#endif
