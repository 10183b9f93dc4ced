import InterceptorKit

extension LoopbackServer.Reply {
    /// A reply that closes the connection without sending a byte.
    public static var closedBeforeReply: Self { .silence(.close) }

    /// A reply that resets the connection (RST) without sending a byte.
    public static var reset: Self { .silence(.reset) }

    /// A reply that never comes: the connection stays open until the client closes it or the server stops.
    public static var stalled: Self { .silence(.stall) }

    /// Sends this many bytes of the head, then closes.
    public func truncatedInHead(after bytes: Int) -> Self {
        changed { $0.headCut = (max(0, bytes), .close) }
    }

    /// Sends this many bytes of the head, then resets the connection.
    ///
    /// The reset waits until the client's system has the bytes, for at most a second.
    public func resetInHead(after bytes: Int) -> Self {
        changed { $0.headCut = (max(0, bytes), .reset) }
    }

    /// Sends this many bytes of the head, then nothing more, until the client closes the connection or the server
    /// stops.
    public func stalledInHead(after bytes: Int) -> Self {
        changed { $0.headCut = (max(0, bytes), .stall) }
    }

    /// Resets the connection after the complete response, without announcing it.
    public func resetAfter() -> Self {
        changed { $0.ending = .reset }
    }

    /// Closes the connection after the complete response, without announcing it.
    public func closedSilentlyAfter() -> Self {
        changed { $0.ending = .close }
    }

    /// Sends unsolicited text after the complete response, on the idle connection.
    /// - Parameters:
    ///   - text: The text, such as a second response.
    ///   - pause: The time between the response and the text.
    public func followed(by text: String, after pause: Duration) -> Self {
        changed { $0.stray = (text, pause) }
    }

    /// Sends this many bytes of the body, framed as if complete, then closes.
    public func truncated(after bytes: Int) -> Self {
        changed { $0.cut = (max(0, bytes), .close) }
    }

    /// Sends this many bytes of the body, framed as if complete, then resets the connection.
    ///
    /// The reset waits until the client's system has the bytes, for at most a second.
    public func resetInBody(after bytes: Int) -> Self {
        changed { $0.cut = (max(0, bytes), .reset) }
    }

    /// Sends this many bytes of the body, framed as if complete, then nothing more, until the client closes the
    /// connection or the server stops.
    public func stalledInBody(after bytes: Int) -> Self {
        changed { $0.cut = (max(0, bytes), .stall) }
    }

    private static func silence(_ ending: Ending) -> Self {
        var reply = Self(status: 200)
        reply.form = .silence(ending)
        return reply
    }
}
