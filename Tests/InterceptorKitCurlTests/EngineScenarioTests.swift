import EngineScenarios
import TestRun
import Testing

@testable import InterceptorKitCurl

extension CurlTransport: WatchedTransport {
    package var liveCount: Int { loops.liveCount }

    package func idle() async { await loops.idle() }

    package func isOwn(_ error: any Error) -> Bool { error is CurlError }
}

@Suite(
    "CurlTransport beyond conformance",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct EngineScenarioTests {
    @Test("passes each trial of a transport's engine", arguments: EngineScenario.all)
    func trial(_ trial: EngineScenario) async throws {
        try await trial.run { try CurlTransport() }
    }
}
