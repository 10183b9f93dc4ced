import InterceptorKit

/// A response's status line and fields as bytes (RFC 9112 section 4).
enum ReplyHead {
    static func bytes(_ status: HTTP.Status, reason: String?, _ headers: HTTP.Headers) -> [UInt8] {
        var text = "HTTP/1.1 \(status.code) \(reason ?? status.reasonPhrase ?? "")\r\n"
        for field in headers {
            text += field.name
            text += ": "
            text += field.value
            text += "\r\n"
        }
        text += "\r\n"
        return Array(text.utf8)
    }
}

extension LoopbackServer.Reply {
    /// This reply, or an error reply that explains why it cannot be sent.
    var checked: Self {
        do throws(SettingError) {
            try validate(as: "The reply")
        } catch {
            return .text("\(error)", status: 500)
        }
        let lists = [headers, trailers] + preliminary.map(\.headers)
        guard let problem = lists.lazy.compactMap(\.problem).first else { return self }
        return .text("The scripted reply cannot be sent. \(problem.message)", status: 500)
    }

    /// Throws for the first modifier with a negative duration.
    func validate(as name: String) throws(SettingError) {
        let durations = [
            ("delayed(by:)", delay), ("bodyDelayed(by:)", bodyDelay),
            ("throttled(bytes:every:)", pace?.every ?? .zero),
            ("paused(after:for:)", pauses.map(\.time).min() ?? .zero),
            ("followed(by:after:)", stray?.after ?? .zero),
        ]
        for (modifier, duration) in durations where duration < .zero {
            throw SettingError(
                "\(name).\(modifier)",
                is: duration.formattedSeconds,
                mustBe: "at least zero"
            )
        }
    }

    /// Whether a body follows the head (RFC 9112 section 6.3).
    func hasBody(_ method: HTTP.Method) -> Bool { method != .head && allowsBody }

    private var allowsBody: Bool { status.code >= 200 && status.code != 204 && status.code != 304 }

    func closes(after method: HTTP.Method, keepsAlive: Bool) -> Bool {
        if closes || !keepsAlive { return true }
        if case .close = framing, hasBody(method), !headers.contains("Content-Length") {
            return true
        }
        return headers["Connection"].map { HTTP.listed($0).contains("close") } ?? false
    }

    /// Returns the fields as sent: those of the reply, then those that frame the message.
    func fields(method: HTTP.Method, closes: Bool) -> HTTP.Headers {
        var fields = headers
        if allowsBody, !fields.contains("Transfer-Encoding") {
            switch framing {
            case .length: fields.setIfAbsent(name: "Content-Length", value: "\(body.count)")
            case .chunks: fields.append(name: "Transfer-Encoding", value: "chunked")
            case .close: break
            }
        }
        if closes { fields.setIfAbsent(name: "Connection", value: "close") }
        return fields
    }
}
