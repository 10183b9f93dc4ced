#if AsyncHTTPClient
import NIOCore
import NIOHPACK
import NIOHTTP1
import NIOHTTP2

/// After all other handlers of an HTTP/2 connection: closes it when its protocol is violated, also by one stream (RFC
/// 9113 section 5.4.1 allows it, and the two look alike here). The engine would keep the connection, and its present
/// and future calls would wait in vain.
///
/// It also closes the connection for a stream that the engine opens after the host's GOAWAY.
final class HTTP2ConnectionGuard: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame

    /// The last stream that the host said it would process (RFC 9113 section 6.8).
    fileprivate private(set) var lastStream = HTTP2StreamID.maxID

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .goAway(let last, _, _) = unwrapInboundIn(data).payload {
            lastStream = min(last, lastStream)
        }
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}

/// Before all other handlers of an HTTP/2 stream: hides events from the engine that would end the process or leave the
/// engine waiting.
///
/// - An invalid status, and an interim response that ends the stream, are refused.
/// - When a response is complete before its request, the engine forgets the request, and traps on the next event of the
///   stream. The guard therefore closes the stream and passes on nothing more.
/// - The engine fails such a response if the stream ends (RFC 9113 section 8.1) before its reader has asked for the
///   rest. A short response that states its length is held until it is whole, since one that arrives at once needs no
///   reader.
/// - A stream that ends with its connection, beyond the last one that the host would process, is refused.
/// - A loss of the connection is marked as one in use.
final class HTTP2ResponseGuard: ChannelDuplexHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias InboundOut = HTTP2Frame.FramePayload
    typealias OutboundIn = HTTP2Frame.FramePayload

    // The first window of a stream, which arrives whether or not the body is read.
    private static let heldBytes = 65_535
    // A response that takes longer is delivered as it arrives.
    private static let heldTime = TimeAmount.seconds(1)

    private var connection: HTTP2ConnectionGuard?
    private var isRequestSent = false
    private var held: [HTTP2Frame.FramePayload] = []
    private var release: Scheduled<Void>?
    /// Whether the engine must get no more events.
    fileprivate private(set) var isOver = false

    func handlerAdded(context: ChannelHandlerContext) {
        connection = try? context.channel.parent?.pipeline.syncOperations
            .handler(type: HTTP2ConnectionGuard.self)
    }

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
        if !held.isEmpty || isEarly(frame) {
            hold(frame, context)
        } else {
            forward(frame, context)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if held.isEmpty { context.fireChannelReadComplete() } else { context.read() }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if !isOver { context.fireChannelWritabilityChanged() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        forwardHeld(context)
        if !isOver { context.fireErrorCaught(refusal(error) ?? LossInUse.marking(error)) }
    }

    /// Returns the error for a stream that its host did not process, by GOAWAY, and that ended with its connection.
    private func refusal(_ error: any Error) -> (any Error)? {
        guard let connection, let closed = error as? NIOHTTP2Errors.StreamClosed,
            closed.streamID > connection.lastStream
        else { return nil }
        return NIOHTTP2Errors.streamClosed(streamID: closed.streamID, errorCode: .refusedStream)
    }

    func channelInactive(context: ChannelHandlerContext) {
        forwardHeld(context)
        if !isOver { context.fireChannelInactive() }
    }

    private func isEarly(_ frame: HTTP2Frame.FramePayload) -> Bool {
        guard !isRequestSent, !frame.endsStream, case .headers(let block) = frame,
            let length = block.headers.first(name: "content-length").flatMap({ Int($0) })
        else { return false }
        return 1...Self.heldBytes ~= length
    }

    private func hold(_ frame: HTTP2Frame.FramePayload, _ context: ChannelHandlerContext) {
        held.append(frame)
        if frame.endsStream { return forwardHeld(context) }
        guard release == nil else { return }
        release = context.eventLoop.assumeIsolated().scheduleTask(in: Self.heldTime) {
            self.forwardHeld(context)
            context.fireChannelReadComplete()
        }
    }

    private func forwardHeld(_ context: ChannelHandlerContext) {
        release?.cancel()
        let frames = held
        held = []
        for frame in frames where !isOver { forward(frame, context) }
    }

    private func forward(_ frame: HTTP2Frame.FramePayload, _ context: ChannelHandlerContext) {
        isOver = frame.endsStream && !isRequestSent
        context.fireChannelRead(wrapInboundOut(frame))
        if isOver { context.close(promise: nil) }
    }
}

/// After all other handlers of an HTTP/2 stream, where the transport's shutdown enters: hides that event, too, from the
/// engine once the stream is over.
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
    // Trailers have no status. HTTP/2 cannot switch protocols (RFC 9113 section 8.6).
    fileprivate var isUsable: Bool {
        guard let text = headers.first(name: ":status") else { return true }
        guard text.utf8.count == 3, let status = UInt(text) else { return false }
        return status >= 200 || (status >= 100 && status != 101 && !endStream)
    }
}
#endif
