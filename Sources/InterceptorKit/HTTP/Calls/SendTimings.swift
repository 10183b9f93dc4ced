/// The parts of the time until a response's head, as far as a transport knows them.
///
/// `CurlTransport` reports them. Parts that did not happen are `nil`: on a reused connection, all but
/// ``firstByte``.
public struct SendTimings: Sendable, Hashable {
    /// The time for finding the host's addresses.
    public var nameLookup: Duration?
    /// The time for connecting, after the addresses were known.
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

extension Event.Name {
    /// A transport reports how the time until the response's head was spent: `name_lookup`, `connect`, `tls`
    /// and `first_byte` if they happened, and `connection.reused`.
    public static let sendTimed: Self = "transport.timed"
}

extension Call {
    /// Reports how the time until the response's head was spent, for transports whose engine knows it.
    /// - Parameters:
    ///   - timings: The timings.
    ///   - source: The transport that reports them.
    public func report(_ timings: HTTP.SendTimings, from source: @autoclosure () -> String) {
        emit(.sendTimed, from: source(), timings.attributes)
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
