import CInterceptorKitCurl

/// The sockets of HTTP/1.1 connections, which show whether something arrived while a connection was idle: unexpected
/// bytes, which libcurl before 8.0 takes for the next response, or a reset, which it overlooks.
///
/// HTTP/2 sockets are not included, because a server may send over them at any time.
final class IdleSockets: @unchecked Sendable {
    // Invariant behind `@unchecked Sendable`: only the holder of the driver touches it.

    /// A connection as libcurl identifies it before each request; the number of its socket may be reused later.
    struct Connection: Hashable {
        var peer: String
        var own: String
        var peerPort: Int32
        var ownPort: Int32

        // Nearly always enough to tell connections apart, for each request that asks.
        func hash(into hasher: inout Hasher) {
            hasher.combine(ownPort)
            hasher.combine(peerPort)
        }
    }

    private var numbers: [Connection: Int32] = [:]
    private var connections: [Int32: Connection] = [:]

    func add(_ number: Int32, for connection: Connection) {
        if let earlier = connections.updateValue(connection, forKey: number) {
            numbers[earlier] = nil
        }
        numbers[connection] = number
    }

    /// Whether something arrived while the connection was idle.
    func isDisturbed(_ connection: Connection) -> Bool {
        guard let number = numbers[connection] else { return false }
        return ikcurl_socket_has_port(number, connection.ownPort)
            && !ikcurl_socket_is_quiet(number)
    }
}
