import CInterceptorKitCurl

/// The sockets of connections that speak HTTP/1.1, by which one that was idle shows whether something came
/// meanwhile: bytes that nobody asked for, which libcurl before 8.0 takes for the next answer, or a reset,
/// which it overlooks.
///
/// Over HTTP/2 a server may send at any time, so these are not here.
final class IdleSockets: @unchecked Sendable {
    // Invariant behind `@unchecked Sendable`: who has the driver alone touches it.

    /// A connection as libcurl names it before each request; a socket's number may be another's later.
    struct Connection: Hashable {
        var peer: String
        var own: String
        var peerPort: Int32
        var ownPort: Int32
    }

    private var numbers: [Connection: Int32] = [:]
    private var connections: [Int32: Connection] = [:]

    func add(_ number: Int32, for connection: Connection) {
        if let earlier = connections.updateValue(connection, forKey: number) {
            numbers[earlier] = nil
        }
        numbers[connection] = number
    }

    /// Whether something came while the connection was idle.
    func isDisturbed(_ connection: Connection) -> Bool {
        guard let number = numbers[connection] else { return false }
        return ikcurl_socket_has_port(number, connection.ownPort)
            && !ikcurl_socket_is_quiet(number)
    }
}
