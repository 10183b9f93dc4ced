import CInterceptorKitCurl

/// The streams that hosts said they would still process on their HTTP/2 connections (GOAWAY, RFC 9113 section
/// 6.8), for the last connections of which they did.
final class StreamLimits: @unchecked Sendable {
    // Invariant behind `@unchecked Sendable`: who has the driver alone touches it.
    private var limits: [(connection: IdleSockets.Connection, last: UInt32)] = []

    // More than end at once; what is forgotten counts as not said.
    private static let maximum = 64

    func note(_ last: UInt32, on connection: IdleSockets.Connection) {
        let known = self[connection]
        forget(connection)
        limits.append((connection, min(last, known ?? last)))
        if limits.count > Self.maximum { limits.removeFirst() }
    }

    /// There is a new connection with the same addresses.
    func forget(_ connection: IdleSockets.Connection) {
        limits.removeAll { $0.connection == connection }
    }

    subscript(_ connection: IdleSockets.Connection) -> UInt32? {
        limits.first { $0.connection == connection }?.last
    }
}

/// The HTTP/2 stream of a transfer, as far as libcurl has told.
struct TransferStream {
    private var number: UInt32?
    private var connection: IdleSockets.Connection?
    private var isSaidRefused = false
    // What libcurl tells a transfer is of the connection that it has.
    private var isAttached = false

    mutating func begin(on connection: IdleSockets.Connection) {
        self = TransferStream()
        self.connection = connection
        isAttached = true
    }

    mutating func leaveConnection() { isAttached = false }

    mutating func take(_ note: ikcurl_note, _ number: UInt32, _ limits: StreamLimits) {
        switch note {
        case IKCURL_STREAM_OPENED: if isAttached { self.number = number }
        case IKCURL_STREAMS_LIMITED:
            if isAttached, let connection { limits.note(number, on: connection) }
        case IKCURL_STREAM_REFUSED: isSaidRefused = true
        default: leaveConnection()
        }
    }

    /// Whether the host has said that it did not process it (RFC 9113 section 8.7).
    func isRefused(by limits: StreamLimits) -> Bool {
        if isSaidRefused { return true }
        guard let number, let connection, let last = limits[connection] else { return false }
        return number > last
    }
}
