import EngineTrials
import Foundation
import InterceptorKit
import InterceptorKitTesting
import InterceptorKitTransport
import Testing

@Suite("URLSessionTransport in a cancellation storm", .serialized, .timeLimit(.minutes(10)))
struct CancellationStormTests {
    private static let large = LoopbackServer.Reply.status(200, body: Data(count: 300_000))
        .throttled(bytes: 60_000, every: .milliseconds(2))

    @Test("every call ends once, as cancelled or whole, and nothing is left")
    func calls() async throws {
        var storm = try CancellationStorm(large: Self.large)

        try await storm.cancelCalls(over: URLSessionTransport())
    }

    @Test("transports closed in mid-flight answer every call")
    func closings() async throws {
        var storm = try CancellationStorm(large: Self.large)

        try await storm.closeTransports { URLSessionTransport() }
    }
}
