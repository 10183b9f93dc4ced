import EngineScenarios
import Foundation
import InterceptorKit
import InterceptorKitTesting
import InterceptorKitTransport
import TestRun
import Testing

@Suite(
    "URLSessionTransport in a cancellation storm",
    .tags(.sockets),
    .serializedAcrossSuites,
    .serialized,
    .timeLimit(.minutes(10))
)
struct CancellationStormTests {
    private static let large = LoopbackServer.Reply.status(200, body: Data(count: 300_000))
        .throttled(bytes: 60_000, every: .milliseconds(2))

    @Test("ends every call once, cancelled or complete, and leaks nothing")
    func calls() async throws {
        var storm = try CancellationStorm(large: Self.large)

        try await storm.cancelCalls(over: URLSessionTransport())
    }

    @Test("ends every call when it is closed in mid-flight")
    func closings() async throws {
        var storm = try CancellationStorm(large: Self.large)

        try await storm.closeTransports { URLSessionTransport() }
    }
}
