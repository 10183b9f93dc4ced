import Foundation
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import TestRun
import Testing

@testable import InterceptorKitCurl

@Suite(
    "CurlTransport's request bodies",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(1))
)
struct UploadTests {
    private struct SourceFailure: Error {}

    private let transport: CurlTransport

    init() throws { transport = try CurlTransport() }

    private func body(length: Int?, chunks: Int, of size: Int) -> HTTP.Body {
        .replayable(length: length) {
            AsyncStream { continuation in
                for index in 0..<chunks {
                    continuation.yield(
                        Data(repeating: UInt8(truncatingIfNeeded: index), count: size)
                    )
                }
                continuation.finish()
            }
        }
    }

    @Test("send Content-Length for a known length, and chunks otherwise")
    func framing() async throws {
        let server = try LoopbackServer.start { _ in .status(200) }

        for length in [nil, 300_000] {
            _ = try await transport.send(
                .put(server.url("/"), body: body(length: length, chunks: 30, of: 10_000)),
                call: Call()
            )
        }

        #expect(server.requests.map(\.body.count) == [300_000, 300_000])
        #expect(server.requests.map { $0.headers["Transfer-Encoding"] } == ["chunked", nil])
        #expect(server.requests.map { $0.headers["Content-Length"] } == [nil, "300000"])
        #expect(Set(server.requests.map(\.body)).count == 1)
    }

    @Test("are an error when longer or shorter than stated", arguments: [9, 11])
    func wrongLength(stated: Int) async throws {
        let server = try LoopbackServer.start { _ in .status(200) }

        let error = await #expect(throws: TransportError.self) {
            try await transport.send(
                .put(server.url("/"), body: body(length: stated, chunks: 1, of: 10)),
                call: Call()
            )
        }

        #expect(error?.code == .other)
        #expect(error?.message.contains("\(stated) bytes it stated") == true)
        try await server.waitForOpenConnections(0)
    }

    @Test("throw their stream's own error unchanged")
    func sourceError() async throws {
        let server = try LoopbackServer.start { _ in .status(200) }
        let failing = AsyncThrowingStream<Data, any Error> { continuation in
            continuation.yield(Data(count: 10))
            continuation.finish(throwing: SourceFailure())
        }

        await #expect(throws: SourceFailure.self) {
            try await transport.send(
                .put(server.url("/"), body: .oneShot(failing)),
                call: Call()
            )
        }
        try await server.waitForOpenConnections(0)
    }

    @Test("may be a part of a file")
    func fileRange() async throws {
        let server = try LoopbackServer.start { _ in .status(200) }
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0) }).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }

        _ = try await transport.send(
            .put(server.url("/"), body: .file(file.path, range: 10..<150_000)),
            call: Call()
        )

        #expect(
            server.requests.first?.body
                == Data((10..<150_000).map { UInt8(truncatingIfNeeded: $0) })
        )
        #expect(server.requests.first?.headers["Content-Length"] == "149990")
    }

    @Test("report their progress up to the whole body")
    func progress() async throws {
        let server = try LoopbackServer.start { _ in .status(200) }
        let told = Lock<[Int]>([])
        var call = Call()
        call.onBodySent = { count in told.withLock { $0.append(count) } }

        _ = try await transport.send(
            .put(server.url("/"), body: .bytes(Data(count: 1_000_000))),
            call: call
        )

        let counts = told.withLock(\.self)
        #expect(counts.last == 1_000_000)
        #expect(counts == counts.sorted())
    }

    @Test("are read from their stream no faster than they are sent")
    func backPressure() async throws {
        let server = try LoopbackServer.start { _ in .stalled }
        let made = Lock(0)
        let endless = AsyncStream<Data> {
            made.withLock { $0 += 10_000 }
            return Data(count: 10_000)
        }
        var options = LoopbackServer.Options()
        options.acceptsConnections = false
        let deaf = try LoopbackServer.start(options: options) { _ in .stalled }

        await #expect(throws: TransportError.self) {
            try await transport.send(
                .put(deaf.url("/"), body: .oneShot(endless)),
                call: Call().deadline(within: .milliseconds(300))
            )
        }

        // The pipe, libcurl's buffer and the kernel's.
        #expect(made.withLock(\.self) < 16 << 20)
        server.stop()
    }
}
