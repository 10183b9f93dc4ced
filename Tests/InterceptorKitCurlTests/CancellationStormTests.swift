import EngineScenarios
import InterceptorKitCurl
import TestRun
import Testing

@Suite(
    "CurlTransport in a cancellation storm",
    .tags(.sockets),
    .serializedAcrossSuites,
    .serialized,
    .timeLimit(.minutes(10))
)
struct CancellationStormTests {
    @Test("ends every call once, cancelled or complete, and leaks nothing")
    func calls() async throws {
        var storm = try CancellationStorm()

        try await storm.cancelCalls(over: CurlTransport())
    }

    @Test("ends every call when it is closed in mid-flight")
    func closings() async throws {
        var storm = try CancellationStorm()

        try await storm.closeTransports { try CurlTransport() }
    }
}
