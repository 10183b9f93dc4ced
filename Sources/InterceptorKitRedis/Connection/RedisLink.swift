#if Redis
import NIOCore

/// What carries the bytes of a connection.
protocol RedisLink: Sendable {
    /// Asks for bytes soon, on the link's own thread, and sends them. What is written until then goes out
    /// together.
    func send(_ bytes: @escaping @Sendable () -> ByteBuffer?)

    func close()
}

/// What a link brings to a connection.
protocol RedisLinkReceiver: AnyObject, Sendable {
    /// Takes what arrived, in order.
    func receive(_ bytes: ByteBuffer)

    /// Says that nothing comes any more.
    func end(_ cause: (any Error)?)
}

/// Opens a link, with TLS if there is any, and brings what arrives to a receiver.
typealias RedisLinkOpener =
    @Sendable (_ receiver: any RedisLinkReceiver) async throws -> any RedisLink
#endif
