#if AsyncHTTPClient
import NIOCore
import NIOHPACK
import NIOHTTP1
import NIOHTTP2

/// After all else of an HTTP/2 connection: closes it when its protocol is violated, also where that
/// concerned one stream (RFC 9113 section 5.4.1 allows it, and the two look alike here). The engine would
/// keep it, and the calls on it and those to come would wait in vain.
final class HTTP2ConnectionGuard: ChannelInboundHandler {
    typealias InboundIn = Never

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}

/// Before all else of an HTTP/2 stream: keeps from the engine what ends the process there or leaves it
/// waiting.
///
/// - An invalid status, and an interim response that ends the stream, are refused.
/// - When a response is complete before its request, the engine forgets the request, and traps when it
///   hears of the stream again. The stream is closed then, and it hears nothing more.
final class HTTP2ResponseGuard: ChannelDuplexHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias OutboundIn = HTTP2Frame.FramePayload

    private var isRequestSent = false
    /// Whether the engine has heard all that it may.
    fileprivate private(set) var isOver = false

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if unwrapOutboundIn(data).endsStream { isRequestSent = true }
        context.write(data, promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        let frame = unwrapInboundIn(data)
        if case .headers(let block) = frame, !block.isUsable {
            context.fireErrorCaught(HTTPParserError.invalidStatus)
            isOver = true
            return
        }
        isOver = frame.endsStream && !isRequestSent
        context.fireChannelRead(data)
        if isOver { context.close(promise: nil) }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if !isOver { context.fireChannelWritabilityChanged() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if !isOver { context.fireErrorCaught(error) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        if !isOver { context.fireChannelInactive() }
    }
}

/// After all else of an HTTP/2 stream, where the transport's end comes from: has the engine not hear of it
/// either when the stream is over.
final class HTTP2ShutdownGuard: ChannelOutboundHandler {
    typealias OutboundIn = Never

    private let response: HTTP2ResponseGuard

    init(_ response: HTTP2ResponseGuard) { self.response = response }

    func triggerUserOutboundEvent(
        context: ChannelHandlerContext,
        event: Any,
        promise: EventLoopPromise<Void>?
    ) {
        guard response.isOver else {
            return context.triggerUserOutboundEvent(event, promise: promise)
        }
        promise?.succeed()
    }
}

extension HTTP2Frame.FramePayload {
    fileprivate var endsStream: Bool {
        switch self {
        case .data(let data): data.endStream
        case .headers(let headers): headers.endStream
        default: false
        }
    }
}

extension HTTP2Frame.FramePayload.Headers {
    // Trailers have no status. There is no switching of protocols (RFC 9113 section 8.6).
    fileprivate var isUsable: Bool {
        guard let text = headers.first(name: ":status") else { return true }
        guard text.utf8.count == 3, let status = UInt(text) else { return false }
        return status >= 200 || (status >= 100 && status != 101 && !endStream)
    }
}
#endif
