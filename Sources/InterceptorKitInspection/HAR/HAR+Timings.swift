import InterceptorKit

extension HAR {
    /// The times of the parts of an exchange, in milliseconds; -1 for a part that does not apply.
    public struct Timings: Codable, Sendable, Hashable {
        /// The time spent waiting for a connection.
        public var blocked: Double?
        /// The time spent resolving the host's name.
        public var dns: Double?
        /// The time spent connecting.
        public var connect: Double?
        /// The time spent sending the request.
        public var send: Double
        /// The time spent waiting for the response's head.
        public var wait: Double
        /// The time spent receiving the response's body.
        public var receive: Double
        /// The time of the TLS handshake, as a part of ``connect``.
        public var ssl: Double?

        /// Creates timings.
        /// - Parameters:
        /// - send: The time spent sending the request. Defaults to zero, for senders that cannot tell it from `wait`.
        ///   - wait: The time spent waiting for the response's head.
        ///   - receive: The time spent receiving the response's body.
        public init(send: Duration = .zero, wait: Duration, receive: Duration) {
            self.send = send.inMilliseconds
            self.wait = wait.inMilliseconds
            self.receive = receive.inMilliseconds
        }

        /// The sum of the parts that apply; `ssl` is part of `connect`.
        public var total: Double {
            [blocked, dns, connect, send, wait, receive].compactMap(\.self)
                .reduce(0) { $0 + max(0, $1) }
        }
    }
}

extension Duration {
    // Whole microseconds: more digits would be noise.
    fileprivate var inMilliseconds: Double {
        (inSeconds * 1_000_000).rounded() / 1000
    }
}
