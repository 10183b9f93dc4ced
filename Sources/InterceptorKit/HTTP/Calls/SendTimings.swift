extension HTTP {
    /// The durations of the phases before a response's head, as far as a transport knows them.
    ///
    /// `CurlTransport` reports them. Phases that did not happen are `nil`: on a reused connection, all but ``firstByte``.
    public struct SendTimings: Sendable, Hashable {
        /// The time to resolve the host's name.
        public var nameLookup: Duration?
        /// The time to connect, once the addresses were known.
        public var connect: Duration?
        /// The time for the TLS handshake.
        public var tls: Duration?
        /// The time from when the request could be sent to the first byte of the response.
        public var firstByte: Duration?

        /// Creates timings.
        public init(
            nameLookup: Duration? = nil,
            connect: Duration? = nil,
            tls: Duration? = nil,
            firstByte: Duration? = nil
        ) {
            self.nameLookup = nameLookup
            self.connect = connect
            self.tls = tls
            self.firstByte = firstByte
        }

        /// Whether an existing connection was reused.
        public var reusedConnection: Bool { connect == nil }
    }
}

extension Event.Name {
    /// A transport reported the durations of the phases before a response's head: `name_lookup`, `connect`, `tls` and
    /// `first_byte` if they happened, and `connection.reused`.
    public static let sendTimed: Self = "transport.timed"
}

extension Call {
    /// Reports the durations of the phases before the response's head, for transports whose engine knows them.
    /// - Parameters:
    ///   - timings: The timings.
    public func report(_ timings: HTTP.SendTimings) {
        emit(.sendTimed, timings.attributes)
    }
}

extension HTTP.SendTimings {
    fileprivate var attributes: Event.Attributes {
        var attributes: Event.Attributes = ["connection.reused": .flag(reusedConnection)]
        attributes["name_lookup"] = nameLookup.map { .duration($0) }
        attributes["connect"] = connect.map { .duration($0) }
        attributes["tls"] = tls.map { .duration($0) }
        attributes["first_byte"] = firstByte.map { .duration($0) }
        return attributes
    }
}
