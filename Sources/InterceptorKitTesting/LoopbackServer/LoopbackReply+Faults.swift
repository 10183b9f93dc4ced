import InterceptorKit

extension LoopbackServer.Reply {
    /// Closes the connection without sending a byte.
    public static var closedBeforeReply: Self { .silence(.close) }

    /// Resets the connection (RST) without sending a byte.
    public static var reset: Self { .silence(.reset) }

    /// Never answers and holds the connection until the client closes it or the server stops.
    public static var stalled: Self { .silence(.stall) }

    /// Sends so many bytes of the head, then closes.
    public func truncatedInHead(after bytes: Int) -> Self {
        changed { $0.headCut = (max(0, bytes), .close) }
    }

    /// Sends so many bytes of the head, then resets the connection.
    ///
    /// The reset waits until the client's system has the bytes, for a second at most.
    public func resetInHead(after bytes: Int) -> Self {
        changed { $0.headCut = (max(0, bytes), .reset) }
    }

    /// Sends so many bytes of the head, then nothing more, and holds the connection until the client
    /// closes it or the server stops.
    public func stalledInHead(after bytes: Int) -> Self {
        changed { $0.headCut = (max(0, bytes), .stall) }
    }

    /// Resets the connection after the whole response, which does not announce it.
    public func resetAfter() -> Self {
        changed { $0.ending = .reset }
    }

    /// Closes the connection after the whole response, which does not announce it.
    public func closedSilentlyAfter() -> Self {
        changed { $0.ending = .close }
    }

    /// Sends a text after the whole response, on the connection that nobody waits for any more.
    /// - Parameters:
    ///   - text: What nobody asked for, as in a second response.
    ///   - pause: The time between the response and the text.
    public func followed(by text: String, after pause: Duration) -> Self {
        changed { $0.stray = (text, pause) }
    }

    /// Sends so many bytes of the body under the framing of all of it, then closes.
    public func truncated(after bytes: Int) -> Self {
        changed { $0.cut = (max(0, bytes), .close) }
    }

    /// Sends so many bytes of the body under the framing of all of it, then resets the connection.
    ///
    /// The reset waits until the client's system has the bytes, for a second at most.
    public func resetInBody(after bytes: Int) -> Self {
        changed { $0.cut = (max(0, bytes), .reset) }
    }

    /// Sends so many bytes of the body under the framing of all of it, then nothing more, and holds
    /// the connection until the client closes it or the server stops.
    public func stalledInBody(after bytes: Int) -> Self {
        changed { $0.cut = (max(0, bytes), .stall) }
    }

    private static func silence(_ ending: Ending) -> Self {
        var reply = Self(status: 200)
        reply.form = .silence(ending)
        return reply
    }
}
