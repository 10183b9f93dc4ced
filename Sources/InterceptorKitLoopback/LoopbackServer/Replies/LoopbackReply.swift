public import InterceptorKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension LoopbackServer {
    /// The server's reaction to a request: a response, well-formed or not, or none.
    ///
    /// Create one with a factory and change it with modifiers that return a copy, as in
    /// `.text("later").delayed(by: .milliseconds(50)).closingAfter()`.
    ///
    /// The server adds only `Content-Length` or `Transfer-Encoding` if they are needed and missing, and
    /// `Connection: close` if it will close.
    public struct Reply: Sendable {
        enum Form: Sendable {
            case message
            case raw
            case silence(Ending)
        }

        enum Ending: Sendable {
            case close
            case reset
            case stall
        }

        enum Framing: Sendable {
            case length
            case chunks(size: Int?)
            case close
        }

        var form = Form.message
        package internal(set) var status: HTTP.Status
        var reason: String?
        var headers: HTTP.Headers
        var body: Data
        var stream: HTTP.Body?
        var framing = Framing.length
        var trailers: HTTP.Headers = [:]
        var preliminary: [(status: HTTP.Status, headers: HTTP.Headers)] = []
        var delay = Duration.zero
        var bodyDelay = Duration.zero
        var pace: (bytes: Int, every: Duration)?
        var pauses: [(after: Int, time: Duration)] = []
        var cut: (after: Int, ending: Ending)?
        var headCut: (after: Int, ending: Ending)?
        var ending: Ending?
        var stray: (text: String, after: Duration)?
        var closes = false

        init(status: HTTP.Status, headers: HTTP.Headers = [:], body: Data = Data()) {
            self.status = status
            self.headers = headers
            self.body = body
        }
    }
}

extension LoopbackServer.Reply {
    /// Returns a response with a status, fields in the given order and spelling, and a body.
    ///
    /// With an invalid name or value, the server responds with 500 and an explanatory text; use ``raw(_:)-(Data)`` for
    /// malformed responses.
    public static func status(
        _ status: HTTP.Status,
        headers: HTTP.Headers = [:],
        body: Data = Data()
    ) -> Self {
        Self(status: status, headers: headers, body: body)
    }

    /// Returns a response with a status, fields and UTF-8 text.
    public static func status(
        _ status: HTTP.Status,
        headers: HTTP.Headers = [:],
        body: String
    ) -> Self {
        Self(status: status, headers: headers, body: Data(body.utf8))
    }

    /// Returns a response whose body is sent while it is produced: a chunk is requested when the previous one was sent
    /// to the client.
    ///
    /// A stream with a known length is sent with that length, any other in chunks or as the modifiers say; pace, pauses
    /// and faults within the body do not apply. If the stream throws, the connection is reset. The stream is read on
    /// the server's thread, so it may wait but not block.
    public static func status(
        _ status: HTTP.Status,
        headers: HTTP.Headers = [:],
        body: HTTP.Body
    ) -> Self {
        var reply = Self(status: status, headers: headers)
        reply.stream = body
        if let length = body.length {
            reply.headers.setIfAbsent(name: "Content-Length", value: "\(length)")
        } else {
            reply.framing = .chunks(size: nil)
        }
        return reply
    }

    /// Returns text as `text/plain; charset=utf-8`. The status defaults to 200.
    public static func text(_ text: String, status: HTTP.Status = 200) -> Self {
        .status(status, headers: ["Content-Type": "text/plain; charset=utf-8"], body: text)
    }

    /// Returns JSON text, sent unchanged. The status defaults to 200.
    public static func json(_ text: String, status: HTTP.Status = 200) -> Self {
        .status(status, headers: ["Content-Type": "application/json"], body: text)
    }

    /// Returns a value as JSON with sorted keys. The status defaults to 200; a value that cannot be encoded gets a 500
    /// with an explanatory text.
    public static func json(_ value: some Encodable, status: HTTP.Status = 200) -> Self {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            let body = try encoder.encode(value)
            return .status(status, headers: ["Content-Type": "application/json"], body: body)
        } catch {
            return .text("The reply's value cannot be written as JSON: \(error)", status: 500)
        }
    }

    /// Returns a redirect to a target, sent unchanged. The status defaults to 302.
    public static func redirect(to target: String, status: HTTP.Status = 302) -> Self {
        .status(status, headers: ["Location": target])
    }

    /// Returns a reply with exactly these bytes, after which the connection closes. Only delay and pace apply.
    public static func raw(_ bytes: Data) -> Self {
        var reply = Self(status: 200, body: bytes)
        reply.form = .raw
        return reply
    }

    /// Returns a reply with exactly this text as UTF-8, after which the connection closes. Only delay and pace apply.
    public static func raw(_ text: String) -> Self { .raw(Data(text.utf8)) }
}
