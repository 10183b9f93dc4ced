import Expectations
import Foundation
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import TestRun
import Testing

@testable import InterceptorKitCurl

@Suite(
    "CurlTransport over its lifetime",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct CurlTransportLifetimeTests {
    private let transport: CurlTransport

    init() throws { transport = try CurlTransport() }

    @Test("makes the server wait for a slower reader")
    func slowReader() async throws {
        var settings = CurlTransport.Settings()
        settings.bufferedBytes = 50_000
        let transport = try CurlTransport(settings: settings)
        let whole = Data((0..<2_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let server = try LoopbackServer { _ in .status(200, body: whole) }

        let response = try await transport.send(.get(server.url("/")), call: Call())
        var chunks = response.body.makeAsyncIterator()
        var read = Data()
        var largest = 0
        while let chunk = try await chunks.next() {
            read.append(chunk)
            largest = max(largest, chunk.count)
            for _ in 0..<20 { await Task.yield() }
        }

        expectEqual(read, whole)
        expectTrue(largest <= 50_000)
    }

    @Test("lets the server produce a response body only as fast as it is read")
    func backPressure() async throws {
        let made = Lock(0)
        let server = try LoopbackServer { request in
            guard request.path == "/" else { return .text("other") }
            return .status(
                200,
                body: .oneShot(
                    AsyncStream<Data> {
                        made.withLock { $0 += 50_000 }
                        return Data(count: 50_000)
                    }
                )
            )
        }

        let response = try await transport.send(.get(server.url("/")), call: Call())
        var chunks = response.body.makeAsyncIterator()
        _ = try await chunks.next()
        // Nothing tells of what is not made. In so many rounds of the transport's loop and the server's
        // much more is than may be.
        for _ in 0..<1000 where made.withLock(\.self) < 24 << 20 {
            _ = try await transport.send(.get(server.url("/other")), call: Call()).text()
        }
        let madeAtRest = made.withLock(\.self)
        var read = 0
        while read < 50_000_000, let chunk = try await chunks.next() { read += chunk.count }
        response.body.cancel()

        // The buffer of the transport and those of two sockets.
        expectTrue(madeAtRest < 24 << 20)
        expectTrue(read >= 50_000_000)
        // That of the others is kept.
        try await server.waitForOpenConnections(1)
    }
}
