#if AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// The exchange on an HTTP/1.1 connection, shared by both of its guards.
final class HTTP1Exchange {
    /// Whether a request was sent whose response is not complete.
    fileprivate var isOpen = false
}

/// Before the parser: closes a connection that receives unsolicited bytes, which would become the next request's
/// response (RFC 9112 section 6.3).
final class UnsolicitedBytesGuard: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let exchange: HTTP1Exchange

    init(_ exchange: HTTP1Exchange) { self.exchange = exchange }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard exchange.isOpen else { return context.close(promise: nil) }
        context.fireChannelRead(data)
    }
}

/// After the parser: hides events from the engine that would end the process or be reported wrongly.
///
/// - A status below 100 is refused.
/// - A complete response stays complete: when the host closes the connection, the engine would otherwise fail the
///   response because the rest of its request could not be written.
/// - A loss of the connection is marked as one in use.
final class HTTP1ResponseGuard: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundIn = HTTPClientRequestPart

    private let exchange: HTTP1Exchange
    private var hasRefused = false

    init(_ exchange: HTTP1Exchange) { self.exchange = exchange }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .head = unwrapOutboundIn(data) { exchange.isOpen = true }
        guard let promise, exchange.isOpen else { return context.write(data, promise: promise) }
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { [exchange] result in
            switch result {
            case .failure(let error) where exchange.isOpen: promise.fail(LossInUse.marking(error))
            case .success, .failure: promise.succeed()
            }
        }
        context.write(data, promise: written)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.fireErrorCaught(LossInUse.marking(error))
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasRefused else { return }
        switch unwrapInboundIn(data) {
        case .head(let head) where head.status.code < 100:
            hasRefused = true
            // The engine fails the exchange with the error and closes the connection.
            return context.fireErrorCaught(HTTPParserError.invalidStatus)
        case .end:
            exchange.isOpen = false
        case .head, .body:
            break
        }
        context.fireChannelRead(data)
    }
}
#endif
