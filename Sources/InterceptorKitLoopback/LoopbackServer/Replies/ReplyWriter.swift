import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A step of a connection to send a reply.
enum ReplyStep: Equatable {
    case bytes([UInt8])
    case wait(Duration)
    case close
    case reset
    case stall
    /// The reply's stream, chunk by chunk.
    case stream
}

/// Turns a reply into steps; no I/O.
struct ReplyWriter {
    private(set) var steps: [ReplyStep] = []

    /// - Parameters:
    ///   - reply: The reply to send.
    ///   - method: The request's method: a reply to HEAD has no body.
    ///   - keepsAlive: Whether the client would use the connection again.
    init(_ reply: LoopbackServer.Reply, method: HTTP.Method, keepsAlive: Bool) {
        let reply = reply.checked
        switch reply.form {
        case .silence(let ending):
            write(wait: reply.delay)
            write(ending)
        case .raw:
            write(wait: reply.delay)
            write(Array(reply.body), pace: reply.pace)
            write(.close)
        case .message:
            write(message: reply, method: method, keepsAlive: keepsAlive)
        }
    }

    private mutating func write(
        message reply: LoopbackServer.Reply,
        method: HTTP.Method,
        keepsAlive: Bool
    ) {
        for first in reply.preliminary {
            write(ReplyHead.bytes(first.status, reason: nil, first.headers))
        }
        write(wait: reply.delay)
        let closes = reply.closes(after: method, keepsAlive: keepsAlive)
        let fields = reply.fields(method: method, closes: closes)
        let head = ReplyHead.bytes(reply.status, reason: reply.reason, fields)
        if let cut = reply.headCut {
            write(Array(head.prefix(cut.after)))
            return write(cut.ending)
        }
        write(head)
        if reply.hasBody(method) {
            write(wait: reply.bodyDelay)
            if reply.stream != nil {
                steps.append(.stream)
            } else {
                for piece in FramedBody.pieces(reply) {
                    write(wait: piece.wait)
                    write(Array(piece.bytes), pace: reply.pace)
                }
            }
            if let cut = reply.cut { return write(cut.ending) }
        }
        if let stray = reply.stray {
            write(wait: stray.after)
            write(Array(stray.text.utf8))
        }
        if let ending = reply.ending { return write(ending) }
        if closes { write(.close) }
    }

    private mutating func write(wait: Duration) {
        if wait > .zero { steps.append(.wait(wait)) }
    }

    private mutating func write(_ ending: LoopbackServer.Reply.Ending) {
        switch ending {
        case .close: steps.append(.close)
        case .reset: steps.append(.reset)
        case .stall: steps.append(.stall)
        }
    }

    private mutating func write(_ bytes: [UInt8], pace: (bytes: Int, every: Duration)?) {
        guard let pace else { return write(bytes) }
        var start = 0
        while start < bytes.count {
            let end = min(start + pace.bytes, bytes.count)
            if start > 0 { steps.append(.wait(pace.every)) }
            // A slice is a step of its own, not joined with the head.
            steps.append(.bytes(Array(bytes[start..<end])))
            start = end
        }
    }

    // Joined with the bytes written just before, so that a small reply is one packet.
    private mutating func write(_ bytes: [UInt8]) {
        if bytes.isEmpty { return }
        if case .bytes(let earlier) = steps.last {
            steps[steps.count - 1] = .bytes(earlier + bytes)
        } else {
            steps.append(.bytes(bytes))
        }
    }
}
