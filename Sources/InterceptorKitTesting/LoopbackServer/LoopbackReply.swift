public import InterceptorKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension LoopbackServer {
    /// What the server does with a request: a response, well-formed or not, or none.
    ///
    /// Made by a factory and changed by modifiers that return a copy:
    /// `.text("later").delayed(by: .milliseconds(50)).closingAfter()`.
    ///
    /// Nothing is added to the fields given but `Content-Length` or `Transfer-Encoding`, when they
    /// are needed and not given, and `Connection: close` where the server will close.
    public struct Reply: Sendable {
        enum Form: Sendable {
            case message
            case raw
            case silence(Ending)
        }

        /// How what is sent ends.
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
        var status: HTTP.Status
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
    /// A response with a status, fields in the order and spelling given, and a body.
    ///
    /// Fields with a refused name or value make the server answer 500 with a text that says so; use
    /// ``raw(_:)-(Data)`` for malformed responses.
    public static func status(
        _ status: HTTP.Status,
        headers: HTTP.Headers = [:],
        body: Data = Data()
    ) -> Self {
        Self(status: status, headers: headers, body: body)
    }

    /// A response with a status, fields and UTF-8 text.
    public static func status(
        _ status: HTTP.Status,
        headers: HTTP.Headers = [:],
        body: String
    ) -> Self {
        Self(status: status, headers: headers, body: Data(body.utf8))
    }

    /// A response whose body is sent as it is made: a chunk is asked for when the one before it has
    /// left for the client.
    ///
    /// A stream of a known length is sent with that length, another in chunks or as the modifiers say;
    /// pace and faults within the body do not apply. Where the stream throws, the connection is reset.
    /// The stream is read on the server's thread, so it may wait but not block.
    public static func status(
        _ status: HTTP.Status,
        headers: HTTP.Headers = [:],
        streaming body: HTTP.Body
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

    /// Text as `text/plain; charset=utf-8`. The status defaults to 200.
    public static func text(_ text: String, status: HTTP.Status = 200) -> Self {
        .status(status, headers: ["Content-Type": "text/plain; charset=utf-8"], body: text)
    }

    /// JSON written out, sent as it is. The status defaults to 200.
    public static func json(_ text: String, status: HTTP.Status = 200) -> Self {
        .status(status, headers: ["Content-Type": "application/json"], body: text)
    }

    /// A value as JSON with sorted keys. The status defaults to 200; a value that cannot be encoded
    /// is answered with 500 and a text that says so.
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

    /// A redirect to a target sent as given. The status defaults to 302.
    public static func redirect(to target: String, status: HTTP.Status = 302) -> Self {
        .status(status, headers: ["Location": target])
    }

    /// Exactly these bytes, then the connection closes. Only delay and pace apply.
    public static func raw(_ bytes: Data) -> Self {
        var reply = Self(status: 200, body: bytes)
        reply.form = .raw
        return reply
    }

    /// Exactly this text as UTF-8, then the connection closes. Only delay and pace apply.
    public static func raw(_ text: String) -> Self { .raw(Data(text.utf8)) }
}
