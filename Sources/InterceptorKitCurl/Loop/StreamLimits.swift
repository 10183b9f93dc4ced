import CInterceptorKitCurl

/// The last stream that each host said it would still process on an HTTP/2 connection (GOAWAY, RFC 9113 section 6.8),
/// for the most recent such connections.
final class StreamLimits: @unchecked Sendable {
    // Invariant behind `@unchecked Sendable`: only the holder of the driver touches it.
    private var limits: [(connection: IdleSockets.Connection, last: UInt32)] = []

    // More than end at once; a forgotten limit counts as none.
    private static let maximum = 64

    func note(_ last: UInt32, on connection: IdleSockets.Connection) {
        let known = self[connection]
        forget(connection)
        limits.append((connection, min(last, known ?? last)))
        if limits.count > Self.maximum { limits.removeFirst() }
    }

    /// Removes the limit of an earlier connection with the same addresses.
    func forget(_ connection: IdleSockets.Connection) {
        limits.removeAll { $0.connection == connection }
    }

    subscript(_ connection: IdleSockets.Connection) -> UInt32? {
        limits.first { $0.connection == connection }?.last
    }
}

/// The HTTP/2 stream of a transfer, as far as libcurl has reported it.
struct TransferStream {
    private var number: UInt32?
    private var connection: IdleSockets.Connection?
    private var isReportedRefused = false
    // libcurl's messages to a transfer are about the connection that it has.
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
        case IKCURL_STREAM_REFUSED: isReportedRefused = true
        default: leaveConnection()
        }
    }

    /// Whether the host has declared the stream unprocessed (RFC 9113 section 8.7).
    func isRefused(by limits: StreamLimits) -> Bool {
        if isReportedRefused { return true }
        guard let number, let connection, let last = limits[connection] else { return false }
        return number > last
    }
}
