#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Puts exchanges into words.
///
/// What comes from outside is written without control characters, so that no field or body can forge a
/// record or drive a terminal.
struct LogText: Sendable {
    let redaction: Redaction

    /// As in `GET https://api.example.com/orders → 200 OK (12 ms)`.
    func line(_ exchange: ObservedExchange) -> String {
        let time = exchange.began.duration(to: exchange.responded)
        let line = Event.line(
            subject(exchange.request),
            result(exchange),
            in: time,
            size: exchange.size
        )
        return prefix(exchange.call) + printable(line)
    }

    /// The request's first line, its fields, and the beginning of its body.
    func request(_ request: HTTP.Request, _ call: Call, bodyLimit: Int?) -> String {
        var lines = ["→ \(subject(request))"]
        lines += fields(request.headers, call)
        if request.body.length != 0 {
            if let bodyLimit, let bytes = request.body.inMemory {
                lines += content(bytes.prefix(bodyLimit), of: bytes.count, request.headers)
            } else {
                lines.append("(\(request.body))")
            }
        }
        return block(lines, call)
    }

    /// The response's first line and its fields, or the failure; the beginning of its body, if it was
    /// watched, and otherwise the body's size.
    func response(
        _ exchange: ObservedExchange,
        _ body: HTTP.BodyRecord? = nil,
        endedAt end: Runtime.Instant? = nil
    ) -> String {
        let time = Event.milliseconds(exchange.began.duration(to: exchange.responded))
        var lines = ["← \(result(exchange)) (\(time)) for \(subject(exchange.request))"]
        guard case .response(let response) = exchange.outcome else {
            return block(lines, exchange.call)
        }
        lines += fields(response.headers, exchange.call)
        if let body, let end {
            if body.count > 0 { lines += content(body.beginning, of: body.count, response.headers) }
            lines.append(ending(body, after: exchange.responded.duration(to: end)))
        } else if !response.body.isEmpty {
            lines.append("(\(response.body))")
        }
        return block(lines, exchange.call)
    }

    /// The size of a response's body that was read.
    func size(of body: HTTP.BodyRecord, _ exchange: ObservedExchange, _ end: Runtime.Instant)
        -> String
    {
        let size = ending(body, after: exchange.responded.duration(to: end))
        return block(["← \(size) for \(subject(exchange.request))"], exchange.call)
    }

    private func subject(_ request: HTTP.Request) -> String {
        "\(request.method) \(redaction.url(request.url.text))"
    }

    private func result(_ exchange: ObservedExchange) -> String {
        switch exchange.outcome {
        case .response(let response): "\(response.status)\(origin(of: response))"
        case .failure(is CancellationError): "cancelled"
        case .failure(let error): "failed: \(redaction.text("\(error)"))"
        }
    }

    // What the server did not send should not look as if it had.
    private func origin(of response: HTTP.Response) -> String {
        switch response.cacheStatus {
        case .hit: " from cache"
        case .stale: " from cache, stale"
        case .validated: " from cache, validated"
        case .miss, nil: ""
        }
    }

    private func fields(_ headers: HTTP.Headers, _ call: Call) -> [String] {
        redaction.headers(headers, hiding: call.credentialFields).map { "\($0.name): \($0.value)" }
    }

    private func content(_ bytes: Data, of count: Int, _ headers: HTTP.Headers) -> [String] {
        let whole = HTTP.wholeCharacters(bytes, isCut: bytes.count < count)
        var lines: [String] = [""]
        switch redaction.body(whole, of: headers) {
        case .text(let text):
            lines += text.split(at: "\n", omittingEmptySubsequences: false).map(String.init)
            if bytes.count < count { lines.append("(and \(count - whole.count) bytes more)") }
        case .binary: lines.append("(\(count) bytes that are no text)")
        case .withheld(let reason): lines.append("(\(count) bytes. \(reason))")
        }
        return lines
    }

    private func ending(_ body: HTTP.BodyRecord, after time: Duration) -> String {
        let size = "\(body.count) bytes in \(Event.milliseconds(time))"
        return switch body.ending {
        case .completed: "(\(size))"
        case .failed(let error) where !(error is CancellationError):
            "(broke off after \(size): \(redaction.text("\(error)")))"
        case .failed, .abandoned: "(not read further than \(size))"
        }
    }

    private func block(_ lines: [String], _ call: Call) -> String {
        lines.map { prefix(call) + printable($0) }.joined(separator: "\n")
    }

    // Calls run side by side, so each line says whose it is.
    private func prefix(_ call: Call) -> String {
        let attempt = call.attempt > 1 ? "#\(call.attempt)" : ""
        return "[\(call.id.description.prefix(4))\(attempt)] "
    }

    private func printable(_ line: String) -> String {
        line.replacingControls { $0 == "\t" }
    }
}

extension ObservedExchange {
    /// The size of the response's body; `nil` if it isn't known beforehand, or there is no response.
    var size: Int? {
        if case .response(let response) = outcome { response.body.length } else { nil }
    }
}

extension HTTP {
    /// The bytes without a character at their end that the cut went through.
    static func wholeCharacters(_ bytes: Data, isCut: Bool) -> Data {
        guard isCut else { return bytes }
        // A character has four bytes at most (RFC 3629).
        for dropped in 0..<min(4, bytes.count) {
            let beginning = bytes.dropLast(dropped)
            if String(bytes: beginning, encoding: .utf8) != nil { return beginning }
        }
        return bytes
    }
}
