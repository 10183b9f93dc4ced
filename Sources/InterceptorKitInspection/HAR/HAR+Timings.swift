import InterceptorKit

extension HAR {
    /// The times of the parts of an exchange, in milliseconds; -1 for a part that does not apply.
    public struct Timings: Codable, Sendable, Hashable {
        /// The time waiting for a connection.
        public var blocked: Double?
        /// The time resolving the host's name.
        public var dns: Double?
        /// The time connecting.
        public var connect: Double?
        /// The time sending the request.
        public var send: Double
        /// The time waiting for the response's head.
        public var wait: Double
        /// The time receiving the response's body.
        public var receive: Double
        /// The time of the TLS handshake, as a part of ``connect``.
        public var ssl: Double?

        /// Creates timings.
        /// - Parameters:
        ///   - send: The time sending the request. Defaults to zero, if you cannot tell it from `wait`.
        ///   - wait: The time waiting for the response's head.
        ///   - receive: The time receiving the response's body.
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
    // Whole microseconds, because more is noise and would be written with 17 digits.
    fileprivate var inMilliseconds: Double {
        (inSeconds * 1_000_000).rounded() / 1000
    }
}
