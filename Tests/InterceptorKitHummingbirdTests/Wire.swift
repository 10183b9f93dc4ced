#if Hummingbird
import HTTPTypes
import Hummingbird
import InterceptorKit
import NIOCore
import NIOPosix

/// A connection on which a test writes and reads bytes when it wants to.
struct Wire: Sendable {
    let channel: NIOAsyncChannel<ByteBuffer, ByteBuffer>

    /// Connects, does something for a minute at most, and closes the connection.
    static func open<Value: Sendable>(
        to port: Int?,
        _ use: (inout Reader, NIOAsyncChannelOutboundWriter<ByteBuffer>) async throws -> Value
    ) async throws -> Value {
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: port ?? 0) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                        wrappingChannelSynchronously: channel
                    )
                }
            }
        // So that a test which waits in vain ends too.
        let end = channel.channel.eventLoop.scheduleTask(in: .seconds(60)) {
            channel.channel.close(promise: nil)
        }
        defer { end.cancel() }
        return try await channel.executeThenClose { inbound, outbound in
            var reader = Reader(chunks: inbound.makeAsyncIterator())
            return try await use(&reader, outbound)
        }
    }

    struct Reader {
        fileprivate var chunks: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
        private(set) var text = ""

        fileprivate init(chunks: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator) {
            self.chunks = chunks
        }

        /// Begins again, as for the next answer.
        mutating func forget() { text = "" }

        /// Reads until the text holds this, or to the end.
        mutating func read(until part: String) async throws {
            while !text.contains(part), let chunk = try await chunks.next(isolation: #isolation) {
                text += String(buffer: chunk)
            }
        }
    }
}

/// The status of a response to a request on a connection of its own.
func statusOfRequest(to port: Int?) async throws -> HTTPResponse.Status {
    try await Wire.open(to: port) { reader, writer in
        try await writer.write(ByteBuffer(string: "GET / HTTP/1.1\r\nHost: a\r\n\r\n"))
        try await reader.read(until: "\r\n\r\n")
        let code = reader.text.dropFirst("HTTP/1.1 ".count).prefix(3)
        return HTTPResponse.Status(code: Int(code) ?? 0)
    }
}
#endif
