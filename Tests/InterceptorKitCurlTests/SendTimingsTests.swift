import Expectations
import Foundation
import InterceptorKit
import InterceptorKitCurl
import InterceptorKitTesting
import TestRun
import Testing

@Suite(
    "Timings of a send by libcurl",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct SendTimingsTests {
    @Test("distinguish a new connection from a reused one")
    func reuse() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let sink = RecordingEventSink()
        let client = try HTTP.Client(transport: CurlTransport(), events: sink) {}

        for _ in 0..<2 { _ = try await client.send(.get(server.url("/"))).text() }

        let timings = sink.events.filter { $0.name == .sendTimed }.map(\.attributes)
        expectEqual(timings.map { $0["connection.reused"] }, [.flag(false), .flag(true)])
        expectEqual(timings.map { $0["connect"] != nil }, [true, false])
        expectTrue(timings.allSatisfy { $0["tls"] == nil })
        for timing in timings {
            guard case .duration(let time) = timing["first_byte"] else {
                Issue.record("There is no time until the first byte.")
                continue
            }
            expectTrue(time > .zero)
        }
    }
}
