public import InterceptorKit

extension LoopbackServer.Reply {
    /// Waits before the head, after responses added with ``preceded(by:headers:)``.
    public func delayed(by delay: Duration) -> Self {
        changed { $0.delay = delay }
    }

    /// Waits between the head and the body.
    public func bodyDelayed(by delay: Duration) -> Self {
        changed { $0.bodyDelay = delay }
    }

    /// Sends the body in slices with a pause between them.
    /// - Parameters:
    ///   - bytes: The size of a slice as sent; at least 1.
    ///   - pause: The time between two slices; none before the first or after the last.
    public func throttled(bytes: Int, every pause: Duration) -> Self {
        changed { $0.pace = (max(1, bytes), pause) }
    }

    /// Sends this many bytes of the body, and the rest after a pause; several pauses add up.
    public func paused(after bytes: Int, for pause: Duration) -> Self {
        changed { $0.pauses.append((max(0, bytes), pause)) }
    }

    /// Sends the body in chunks (RFC 9112 section 7.1).
    /// - Parameter size: The size of a chunk in bytes; at least 1. Defaults to the whole body.
    public func chunked(size: Int? = nil) -> Self {
        changed { $0.framing = .chunks(size: size.map { max(1, $0) }) }
    }

    /// Sends trailer fields after the body, which is then sent in chunks.
    public func trailers(_ fields: HTTP.Headers) -> Self {
        changed {
            $0.trailers = fields
            if case .chunks = $0.framing { return }
            $0.framing = .chunks(size: nil)
        }
    }

    /// Sends the body without a length, ended by closing the connection (RFC 9112 section 6.3).
    public func endingWithConnection() -> Self {
        changed { $0.framing = .close }
    }

    /// Sends `Connection: close` and closes after the response.
    public func closingAfter() -> Self {
        changed { $0.closes = true }
    }

    /// Sends an informational response first; several are sent in the order in which you add them.
    /// - Parameters:
    ///   - status: A status below 200, such as 103.
    ///   - headers: Its fields.
    public func preceded(by status: HTTP.Status, headers: HTTP.Headers = [:]) -> Self {
        changed { $0.preliminary.append((status, headers)) }
    }

    /// Replaces the reason phrase, which is the registered one by default.
    public func reason(_ phrase: String) -> Self {
        changed { $0.reason = phrase }
    }

    func changed(_ change: (inout Self) -> Void) -> Self {
        var copy = self
        change(&copy)
        return copy
    }
}
