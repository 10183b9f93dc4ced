import EngineScenarios
import Foundation
import TestRun
import Testing

@testable import InterceptorKitTransport

extension URLSessionTransport: WatchedTransport {
    package var liveCount: Int { registry.liveCount }

    package func idle() async { await registry.idle() }

    package func isOwn(_ error: any Error) -> Bool { error is URLError }
}

@Suite(
    "URLSessionTransport beyond conformance",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct EngineScenarioTests {
    @Test("passes each trial of a transport's engine", arguments: EngineScenario.all)
    func trial(_ trial: EngineScenario) async throws {
        try await trial.run { URLSessionTransport() }
    }
}
