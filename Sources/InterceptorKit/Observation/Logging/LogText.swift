#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Formats exchanges as text.
///
/// Control characters from requests and responses are replaced, so that no field or body can forge a record or control
/// a terminal.
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

    /// Returns the response's first line and fields, or the failure; then the beginning of the body if it was observed,
    /// otherwise its size.
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

    // A response from the cache must not look as if the server had sent it.
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

    // Calls run concurrently, so each line names its call.
    private func prefix(_ call: Call) -> String {
        let attempt = call.attempt > 1 ? "#\(call.attempt)" : ""
        return "[\(call.id.description.prefix(4))\(attempt)] "
    }

    private func printable(_ line: String) -> String {
        line.replacingControls { $0 == "\t" }
    }
}

extension ObservedExchange {
    /// The size of the response's body; `nil` if it is unknown, or there is no response.
    var size: Int? {
        if case .response(let response) = outcome { response.body.length } else { nil }
    }
}

extension HTTP {
    /// Returns the bytes without a character that was cut at their end.
    static func wholeCharacters(_ bytes: Data, isCut: Bool) -> Data {
        guard isCut else { return bytes }
        // A character has at most four bytes (RFC 3629).
        for dropped in 0..<min(4, bytes.count) {
            let beginning = bytes.dropLast(dropped)
            if String(bytes: beginning, encoding: .utf8) != nil { return beginning }
        }
        return bytes
    }
}
