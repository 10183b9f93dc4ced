#if AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// What is under way on an HTTP/1.1 connection, as both of its guards see it.
final class HTTP1Exchange {
    /// A request was sent whose response is not complete.
    fileprivate var isOpen = false
}

/// Before the parser: closes a connection on which bytes come that nobody asked for, which would become
/// the next request's response (RFC 9112 section 6.3).
final class UnsolicitedBytesGuard: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let exchange: HTTP1Exchange

    init(_ exchange: HTTP1Exchange) { self.exchange = exchange }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard exchange.isOpen else { return context.close(promise: nil) }
        context.fireChannelRead(data)
    }
}

/// After the parser: keeps from the engine what ends the process there, and what would be told wrongly.
///
/// - A status below 100 is refused.
/// - A response that is complete stays so: the engine closes a connection that the host closes, and would fail
///   the response because the rest of its request could not be written.
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
