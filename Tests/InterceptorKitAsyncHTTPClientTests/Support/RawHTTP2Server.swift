#if AsyncHTTPClient
import Foundation
import NIOCore
import NIOPosix
import NIOSSL

/// Speaks HTTP/2 over TLS as far as it must: its settings, and then the same bytes to every request; others,
/// if there are, when those have been read.
final class RawHTTP2Server: Sendable {
    static let canBeStarted = FileManager.default.isExecutableFile(atPath: openssl)
    private static let openssl = "/usr/bin/openssl"

    let port: Int
    /// Yields when the bytes for a request have been read, and when the others have.
    let readings: AsyncStream<Void>
    private let channel: any Channel

    private init(_ channel: any Channel, _ readings: AsyncStream<Void>) {
        self.channel = channel
        self.readings = readings
        port = channel.localAddress?.port ?? 0
    }

    deinit { channel.close(promise: nil) }

    static func start(
        answering answer: [UInt8],
        then rest: [UInt8] = []
    ) async throws -> RawHTTP2Server {
        let pem = try certificateAndKey()
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMBytes(pem).map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: pem, format: .pem))
        )
        configuration.applicationProtocols = ["h2"]
        let context = try NIOSSLContext(configuration: configuration)
        let (readings, read) = AsyncStream.makeStream(of: Void.self)
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(NIOSSLServerHandler(context: context))
                    try pipeline.addHandler(AnsweringHandler(answer, rest, read))
                }
            }
            .bind(host: "127.0.0.1", port: 0)
            .get()
        return RawHTTP2Server(channel, readings)
    }

    /// A frame of the first stream, or of the connection (RFC 9113 section 4.1).
    static func frame(_ type: UInt8, flags: UInt8, stream: UInt8 = 1, _ payload: [UInt8]) -> [UInt8]
    {
        [0, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF), type, flags, 0, 0, 0, stream]
            + payload
    }

    /// A HEADERS frame with a status and perhaps a length, in literal form (RFC 7541 section 6.2.2).
    static func head(status: String, length: Int? = nil, endsStream: Bool) -> [UInt8] {
        var block = [0x08, UInt8(status.utf8.count)] + status.utf8
        if let length {
            block.append(0)
            for text in ["content-length", "\(length)"] {
                block += [UInt8(text.utf8.count)] + text.utf8
            }
        }
        return frame(1, flags: endsStream ? 0x5 : 0x4, block)
    }

    private static func certificateAndKey() throws -> [UInt8] {
        let command = Process()
        let output = Pipe()
        command.executableURL = URL(fileURLWithPath: openssl)
        command.arguments = """
            req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 \
            -keyout - -out - -subj /CN=127.0.0.1
            """.split(separator: " ").map(String.init)
        command.standardOutput = output
        command.standardError = FileHandle.nullDevice
        try command.run()
        return Array(try output.fileHandleForReading.readToEnd() ?? Data())
    }
}

private final class AnsweringHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private static let prefaceSize = 24
    private let answer: [UInt8]
    private var rest: [UInt8]
    private let read: AsyncStream<Void>.Continuation
    private var received = ByteBuffer()
    private var hasGreeted = false

    init(_ answer: [UInt8], _ rest: [UInt8], _ read: AsyncStream<Void>.Continuation) {
        self.answer = answer
        self.rest = rest
        self.read = read
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received.writeImmutableBuffer(unwrapInboundIn(data))
        if !hasGreeted, received.readableBytes >= Self.prefaceSize {
            received.moveReaderIndex(forwardBy: Self.prefaceSize)
            hasGreeted = true
            send(RawHTTP2Server.frame(4, flags: 0, stream: 0, []), context)
        }
        while hasGreeted, let (type, flags) = nextFrame() {
            if type == 1 { send(rest.isEmpty ? answer : answer + Self.ping, context) }
            // The answer to a PING, which comes after all that was sent before.
            guard type == 6, flags == 1 else { continue }
            if !rest.isEmpty { send(rest + Self.ping, context) }
            rest = []
            read.yield()
        }
    }

    private static let ping = RawHTTP2Server.frame(
        6,
        flags: 0,
        stream: 0,
        [UInt8](repeating: 0, count: 8)
    )

    private func nextFrame() -> (type: UInt8, flags: UInt8)? {
        let start = received.readerIndex
        guard let head = received.getBytes(at: start, length: 9) else { return nil }
        let size = 9 + (Int(head[0]) << 16 + Int(head[1]) << 8 + Int(head[2]))
        guard received.readSlice(length: size) != nil else { return nil }
        return (head[3], head[4])
    }

    private func send(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
    }
}
#endif
