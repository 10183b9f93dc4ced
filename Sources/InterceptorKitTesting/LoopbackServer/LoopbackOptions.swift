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

        /// Creates the default settings.
        public init() {}
    }
}
