#if Hummingbird
import Expectations
import HTTPTypes
import Hummingbird
import HummingbirdHTTP2
import HummingbirdTesting
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitHummingbird
import InterceptorKitTesting
import NIOCore
import Synchronization
import TestRun
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite(
    "A caller that disconnects",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct ConnectionCloseWatcherTests {
    private static let request = ByteBuffer(string: "GET / HTTP/1.1\r\nHost: a\r\n\r\n")

    @Test("cancels its handler")
    func handler() async throws {
        let (begun, cancelled) = (Notes<Void>(), Notes<Void>())
        let app = try application { _, _ in
            begun.note(())
            do {
                try await Gate().pass()
            } catch {
                cancelled.note(())
            }
            return Response(status: .ok)
        }

        try await app.test(.live) { client in
            try await Wire.open(to: client.port) { _, writer in
                try await writer.write(Self.request)
                await begun.wait()
                expectTrue(cancelled.entries.isEmpty)
            }

            await cancelled.wait()
        }
    }

    @Test("cancels the sends of clients in its handler")
    func client() async throws {
        let gate = Gate()
        let upstream = ScriptedTransport<HTTP.Request>(replies: [.status(200).held(at: gate)])
        let prices = try HTTP.Client(transport: upstream) {}
        let ended = Notes<Bool>()
        let app = try application { _, _ in
            do {
                _ = try await prices.send(.get("https://prices.example.com/"))
            } catch {
                ended.note(error is CancellationError)
                throw error
            }
            return Response(status: .ok)
        }

        try await app.test(.live) { client in
            try await Wire.open(to: client.port) { _, writer in
                try await writer.write(Self.request)
                try await gate.waitForArrivals(1)
            }

            await ended.wait()
            expectEqual(ended.entries, [true])
        }
    }

    @Test("cancels only the handler of an HTTP/2 stream that it resets")
    func stream() async throws {
        let (begun, cancelled, done) = (Notes<String>(), Notes<String>(), Notes<String>())
        let gate = Gate()
        let app = try application(over: .plaintextHTTP2()) { request, _ in
            begun.note(request.uri.path)
            do {
                try await gate.pass()
            } catch {
                cancelled.note(request.uri.path)
            }
            done.note(request.uri.path)
            return Response(status: .ok)
        }

        try await app.test(.live) { client in
            try await Wire.open(to: client.port) { _, writer in
                try await writer.write(Frames.beginning)
                try await writer.write(Frames.get("/stays", on: 1))
                try await writer.write(Frames.get("/goes", on: 3))
                await begun.wait(for: 2)

                try await writer.write(Frames.reset(3))
                await done.wait()
                expectEqual(done.entries, ["/goes"])
                gate.open()

                await done.wait(for: 2)
                expectEqual(done.entries, ["/goes", "/stays"])
                expectEqual(cancelled.entries, ["/goes"])
            }
        }
    }

    @Test("cancels a response body, even one that yields no chunk")
    func body() async throws {
        let cancelled = Notes<Void>()
        let app = try application { _, _ in
            Response(status: .ok)
        } behind: {
            through { _ in HTTP.Response(200, body: .oneShot(Endless(cancelled))) }
        }

        try await app.test(.live) { client in
            try await Wire.open(to: client.port) { reader, writer in
                try await writer.write(Self.request)
                try await reader.read(until: "first")
            }

            await cancelled.wait()
        }
    }

    @Test("differs from one that sends its next request on the connection")
    func keepAlive() async throws {
        let app = try application { _, _ in
            Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: "seven!")))
        }

        try await app.test(.live) { client in
            try await Wire.open(to: client.port) { reader, writer in
                for _ in 1...3 {
                    try await writer.write(Self.request)
                    try await reader.read(until: "seven!")
                    expectTrue(reader.text.hasPrefix("HTTP/1.1 200"))
                    reader.forget()
                }
            }
        }
    }
}

/// What a client of HTTP/2 writes (RFC 9113 sections 3.4 and 6).
private enum Frames {
    /// The preface, and no settings.
    static var beginning: ByteBuffer {
        var buffer = ByteBuffer(string: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
        buffer.writeImmutableBuffer(frame(4, on: 0, []))
        return buffer
    }

    /// A whole request, without Huffman coding or a table (RFC 7541 section 6.2.2).
    static func get(_ path: String, on stream: UInt32) -> ByteBuffer {
        let method: UInt8 = 0x82
        let scheme: UInt8 = 0x86
        let fields = [method, scheme] + field(1, "a") + field(4, path)
        let endsStreamAndFields: UInt8 = 0x5
        return frame(1, endsStreamAndFields, on: stream, fields)
    }

    static func reset(_ stream: UInt32) -> ByteBuffer {
        let cancel: [UInt8] = [0, 0, 0, 8]
        return frame(3, on: stream, cancel)
    }

    private static func field(_ name: UInt8, _ value: String) -> [UInt8] {
        [name, UInt8(value.utf8.count)] + value.utf8
    }

    private static func frame(
        _ type: UInt8,
        _ flags: UInt8 = 0,
        on stream: UInt32,
        _ payload: [UInt8]
    ) -> ByteBuffer {
        var buffer = ByteBuffer(bytes: [0, 0, UInt8(payload.count), type, flags])
        buffer.writeInteger(stream)
        buffer.writeBytes(payload)
        return buffer
    }
}

/// A chunk, and then nothing.
private final class Endless: HTTP.BodyStream {
    private let cancelled: Notes<Void>
    private let gate = Gate()
    private let isFirst = Lock(true)

    init(_ cancelled: Notes<Void>) { self.cancelled = cancelled }

    func next() async throws -> Data? {
        let isFirst = isFirst.withLock { first in
            defer { first = false }
            return first
        }
        if isFirst { return Data("first".utf8) }
        try await gate.pass()
        return nil
    }

    func cancel() {
        cancelled.note(())
        gate.fail(CancellationError())
    }
}
#endif
