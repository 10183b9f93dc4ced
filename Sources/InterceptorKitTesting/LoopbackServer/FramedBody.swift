import InterceptorKit

/// A reply's body as it stands on the wire, with chunks and trailers, cut where a fault cuts it.
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
        guard reply.cut == nil else { return framed }
        framed += "0\r\n".utf8
        for field in reply.trailers { framed += "\(field.name): \(field.value)\r\n".utf8 }
        return framed + "\r\n".utf8
    }
}
