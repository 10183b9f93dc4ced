/// What a transport knows of how the time until a response's head was spent.
///
/// `CurlTransport` tells them. Parts that did not happen are `nil`: on a connection that was there
/// already, all but ``firstByte``.
public struct SendTimings: Sendable, Hashable {
    /// Finding the host's addresses.
    public var nameLookup: Duration?
    /// Making the connection, after its addresses were known.
    public var connect: Duration?
    /// The TLS handshake.
    public var tls: Duration?
    /// From the moment the request could be sent to the first byte of the response.
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

    /// Whether the connection was there already.
    public var reusedConnection: Bool { connect == nil }
}

extension Event.Name {
    /// A transport says how the time until the response's head was spent: `name_lookup`, `connect`, `tls`
    /// and `first_byte`, those that happened, and whether `connection.reused`.
    public static let sendTimed: Self = "transport.timed"
}

extension Call {
    /// Reports how the time until the response's head was spent, for transports whose engine tells.
    /// - Parameters:
    ///   - timings: The parts.
    ///   - source: The transport that says so.
    public func report(_ timings: SendTimings, from source: @autoclosure () -> String) {
        emit(.sendTimed, from: source(), timings.attributes)
    }
}

extension SendTimings {
    fileprivate var attributes: Event.Attributes {
        var attributes: Event.Attributes = ["connection.reused": .flag(reusedConnection)]
        attributes["name_lookup"] = nameLookup.map { .duration($0) }
        attributes["connect"] = connect.map { .duration($0) }
        attributes["tls"] = tls.map { .duration($0) }
        attributes["first_byte"] = firstByte.map { .duration($0) }
        return attributes
    }
}
