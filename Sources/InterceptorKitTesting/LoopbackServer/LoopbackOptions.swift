extension LoopbackServer {
    /// Settings of a server; the defaults suit tests.
    public struct Options: Sendable {
        /// The port to listen on. Defaults to 0, a free one chosen by the system.
        public var port = 0
        /// The largest request body in bytes; a larger one is answered with 413. Defaults to 64 MiB.
        public var bodyLimit = 64 << 20
        /// The largest request head, and the largest trailer section, in bytes; a larger head is
        /// answered with 431. Defaults to 64 KiB.
        public var headLimit = 64 << 10
        /// Whether `Expect: 100-continue` is answered with 100 before the body is read (RFC 9110
        /// section 10.1.1). Defaults to `true`; with `false` the client has to give up waiting.
        public var answersExpectations = true
        /// Whether ``LoopbackServer/requests`` keeps what arrived. Defaults to `true`; a benchmark
        /// turns it off so that memory does not grow.
        public var recordsRequests = true
        /// Whether connections are accepted. Defaults to `true`; with `false` the system takes them and
        /// they wait, so that a client connects, sends and hears nothing.
        public var acceptsConnections = true
        /// What goes wrong on a connection, by its number from 1, before a request is whole. Defaults to
        /// nothing.
        public var connectionFault: (@Sendable (_ connection: Int) -> ConnectionFault?)?
        /// Answers a request with a body before the body is read, after which the connection closes;
        /// `nil` lets the request come whole. Defaults to always `nil`.
        ///
        /// The request it is given has no body and the number 0, and is not in
        /// ``LoopbackServer/requests``.
        public var earlyReply: (@Sendable (Request) -> Reply?)?

        /// Creates the default settings.
        public init() {}
    }
}
