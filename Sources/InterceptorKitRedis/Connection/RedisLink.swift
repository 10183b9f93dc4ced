#if Redis
import NIOCore

/// The transport of a connection's bytes.
protocol RedisLink: Sendable {
    /// Requests bytes soon on the link's thread and sends them, so that commands written until then go out together.
    func send(_ bytes: @escaping @Sendable () -> ByteBuffer?)

    func close()
}

/// The receiver of a link's bytes.
protocol RedisLinkReceiver: AnyObject, Sendable {
    /// Receives bytes, in order.
    func receive(_ bytes: ByteBuffer)

    /// Receives the end of the link.
    func end(_ cause: (any Error)?)
}

/// Opens a link, with TLS if it is configured, which passes its bytes to a receiver.
typealias RedisLinkOpener =
    @Sendable (_ receiver: any RedisLinkReceiver) async throws -> any RedisLink
#endif
