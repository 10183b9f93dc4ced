import EngineTrials
import InterceptorKitCurl
import Testing

@Suite("CurlTransport in a cancellation storm", .serialized, .timeLimit(.minutes(10)))
struct CancellationStormTests {
    @Test("every call ends once, as cancelled or whole, and nothing is left")
    func calls() async throws {
        var storm = try CancellationStorm()

        try await storm.cancelCalls(over: CurlTransport())
    }

    @Test("transports closed in mid-flight answer every call")
    func closings() async throws {
        var storm = try CancellationStorm()

        try await storm.closeTransports { try CurlTransport() }
    }
}
