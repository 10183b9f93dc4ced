import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A reply's body as sent, with chunks and trailers, up to the point of a fault.
enum FramedBody {
    static func bytes(_ reply: LoopbackServer.Reply) -> [UInt8] {
        let body = Array(reply.body)
        let shown = min(reply.cut?.after ?? body.count, body.count)
        guard case .chunks(let size) = reply.framing else { return Array(body[..<shown]) }
        let step = size ?? max(1, body.count)
        var framed: [UInt8] = []
        var start = 0
        while start < shown {
            let end = min(start + step, body.count)
            framed += "\(String(end - start, radix: 16))\r\n".utf8
            framed += body[start..<min(end, shown)]
            if end > shown { return framed }
            framed += "\r\n".utf8
            start = end
        }
        return reply.cut == nil ? framed + end(reply) : framed
    }

    /// Returns the body in pieces, with the wait before each.
    static func pieces(_ reply: LoopbackServer.Reply) -> [(
        wait: Duration, bytes: ArraySlice<UInt8>
    )] {
        let whole = bytes(reply)
        var start = 0
        var wait = Duration.zero
        var pieces: [(wait: Duration, bytes: ArraySlice<UInt8>)] = []
        for pause in reply.pauses.sorted(by: { $0.after < $1.after }) {
            // Includes the frames of the chunks before.
            let before = bytes(reply.truncated(after: pause.after))
            let end = min(before.count, whole.count)
            if end > start {
                pieces.append((wait, whole[start..<end]))
                wait = .zero
            }
            start = end
            wait = min(wait + pause.time, .seconds(86_400))
        }
        return pieces + [(wait, whole[start...])]
    }

    static func chunk(_ data: Data, of reply: LoopbackServer.Reply) -> [UInt8] {
        guard case .chunks = reply.framing else { return Array(data) }
        return Array("\(String(data.count, radix: 16))\r\n".utf8) + data + "\r\n".utf8
    }

    /// Returns the bytes after the last chunk.
    static func end(_ reply: LoopbackServer.Reply) -> [UInt8] {
        guard case .chunks = reply.framing else { return [] }
        var end = Array("0\r\n".utf8)
        for field in reply.trailers { end += "\(field.name): \(field.value)\r\n".utf8 }
        return end + "\r\n".utf8
    }
}
