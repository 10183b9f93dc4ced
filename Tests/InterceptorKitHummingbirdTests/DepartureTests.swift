#if Hummingbird
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import InterceptorKit
import InterceptorKitHummingbird
import InterceptorKitTesting
import NIOCore
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("A caller that goes away", .timeLimit(.minutes(2)))
struct DepartureTests {
    private static let request = ByteBuffer(string: "GET / HTTP/1.1\r\nHost: a\r\n\r\n")

    @Test("has its handler cancelled")
    func handler() async throws {
        let (begun, cancelled) = (Notes<Void>(), Notes<Void>())
        let app = try application { _, _ in
            begun.note(())
            do {
                try await Runtime.live.sleep(for: .seconds(600))
            } catch {
                cancelled.note(())
            }
            return Response(status: .ok)
        }

        try await app.test(.live) { client in
            try await Wire.open(to: client.port) { _, writer in
                try await writer.write(Self.request)
                await begun.wait()
                #expect(cancelled.entries.isEmpty)
            }

            await cancelled.wait()
        }
    }

    @Test("has what a client does for it cancelled")
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
            #expect(ended.entries == [true])
        }
    }

    @Test("has a body that it no longer reads cancelled, also while nothing comes of it")
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

    @Test("is not one that sends the next request on the same connection")
    func keepAlive() async throws {
        let app = try application { _, _ in
            Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: "seven!")))
        }

        try await app.test(.live) { client in
            try await Wire.open(to: client.port) { reader, writer in
                for _ in 1...3 {
                    try await writer.write(Self.request)
                    try await reader.read(until: "seven!")
                    #expect(reader.text.hasPrefix("HTTP/1.1 200"))
                    reader.forget()
                }
            }
        }
    }
}

/// A chunk, and then nothing.
private final class Endless: BodyStream {
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
