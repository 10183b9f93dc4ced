import InterceptorKit

extension HAR {
    /// How long the parts of an exchange took, in milliseconds; -1 for a part that does not apply.
    public struct Timings: Codable, Sendable, Hashable {
        /// Waiting for a connection.
        public var blocked: Double?
        /// Resolving the host's name.
        public var dns: Double?
        /// Connecting.
        public var connect: Double?
        /// Sending the request.
        public var send: Double
        /// Waiting for the response's head.
        public var wait: Double
        /// Receiving the response's body.
        public var receive: Double
        /// The part of ``connect`` that TLS took.
        public var ssl: Double?

        /// Creates timings.
        /// - Parameters:
        ///   - send: Sending the request. Defaults to zero, for those who cannot tell it from `wait`.
        ///   - wait: Waiting for the response's head.
        ///   - receive: Receiving the response's body.
        public init(send: Duration = .zero, wait: Duration, receive: Duration) {
            self.send = send.inMilliseconds
            self.wait = wait.inMilliseconds
            self.receive = receive.inMilliseconds
        }

        /// The sum of the parts that apply; `ssl` is within `connect`.
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
