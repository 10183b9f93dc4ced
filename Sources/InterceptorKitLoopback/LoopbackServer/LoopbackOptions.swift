extension LoopbackServer {
    /// Settings of a server; the defaults suit tests.
    public struct Options: Sendable {
        /// The port to listen on. Defaults to 0, a free one chosen by the system.
        public var port = 0
        /// The largest request body in bytes; a larger one gets a 413. Defaults to 64 MiB.
        public var bodyLimit = 64 << 20
        /// The largest request head, and the largest trailer section, in bytes; a larger head gets a 431. Defaults to
        /// 64 KiB.
        public var headLimit = 64 << 10
        /// Whether the server responds to `Expect: 100-continue` with 100 before it reads the body (RFC 9110 section
        /// 10.1.1). Defaults to `true`; with `false` the client has to give up waiting.
        public var answersExpectations = true
        /// Whether ``LoopbackServer/requests`` records requests. Defaults to `true`; a benchmark turns it off so that
        /// memory does not grow.
        public var recordsRequests = true
        /// Whether connections are accepted. Defaults to `true`; with `false` the system queues them, so a client
        /// connects and sends, but gets no response.
        public var acceptsConnections = true
        /// A closure that returns the fault for a connection, by its number from 1. Defaults to no fault.
        public var connectionFault: (@Sendable (_ connection: Int) -> ConnectionFault?)?
        /// A closure that returns a reply to a request before its body is read, after which the connection closes;
        /// `nil` reads the body first. Defaults to always `nil`.
        ///
        /// Its request has no body and the number 0, and is not in ``LoopbackServer/requests``.
        public var earlyReply: (@Sendable (Request) -> Reply?)?

        /// Creates the default settings.
        public init() {}
    }
}
