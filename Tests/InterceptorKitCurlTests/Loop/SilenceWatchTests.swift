import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTesting
import TestRun
import Testing

@testable import InterceptorKitCurl

@Suite("SilenceWatch", .tags(.sockets), .serializedAcrossSuites, .timeLimit(.minutes(10)))
struct SilenceWatchTests {
    @Test("ends a connection that is idle too long, before and within the body")
    func silent() async throws {
        var settings = CurlTransport.Settings()
        settings.idleTimeout = .milliseconds(200)
        let transport = try CurlTransport(settings: settings)
        let server = try LoopbackServer { request in
            request.path == "/body" ? .text("0123456789").stalledInBody(after: 4) : .stalled
        }

        let inHead = await #expect(throws: TransportError.self) {
            try await transport.send(.get(server.url("/head")), call: Call())
        }
        let response = try await transport.send(.get(server.url("/body")), call: Call())
        let inBody = await #expect(throws: TransportError.self) {
            try await response.body.collect()
        }

        expectEqual(inHead?.code, .timedOut)
        expectEqual(inBody?.code, .timedOut)
        try await server.waitForOpenConnections(0)
    }

    @Test("does not count a reader's pause as the peer's silence")
    func restingReader() async throws {
        var settings = CurlTransport.Settings()
        settings.idleTimeout = .milliseconds(300)
        settings.bufferedBytes = 1000
        let transport = try CurlTransport(settings: settings)
        let server = try LoopbackServer { request in
            request.path == "/" ? .status(200, body: Data(count: 5_000_000)) : .stalled
        }

        let response = try await transport.send(.get(server.url("/")), call: Call())
        // It rests for as long as the transport takes to give up two silent exchanges, one by one.
        for _ in 0..<2 {
            let error = await #expect(throws: TransportError.self) {
                try await transport.send(.get(server.url("/silent")), call: Call())
            }
            expectEqual(error?.code, .timedOut)
        }
        let count = try await response.body.collect().count

        expectEqual(count, 5_000_000)
    }

    @Test("is due after its limit, and looks once a day at least", arguments: [1, 1_000_000])
    func waits(seconds: Int) {
        let watch = SilenceWatch(limit: .seconds(seconds))

        expectTrue(!watch.isDue)
        let wait = watch.millisecondsToNextCheck
        expectTrue(seconds == 1 ? 1...1001 ~= wait : wait == 86_400_000)
    }
}
