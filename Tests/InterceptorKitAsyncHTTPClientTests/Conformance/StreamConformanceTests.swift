#if AsyncHTTPClient
import Expectations
import EngineScenarios
import InterceptorKitAsyncHTTPClient
import InterceptorKitConformance
import TestRun
import Testing

@Suite(
    "AsyncHTTPClientTransport carries streams",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct StreamConformanceTests {
    @Test("carries streams of events as a transport must")
    func conforms() async {
        let report = await TransportConformance.runStreams(against: "ahc") {
            AsyncHTTPClientTransport()
        }

        print(report)
        expectTrue(report.isConformant)
        expectTrue(report.results.count >= 45)
    }

    @Test("loses and doubles no event over breaks and restarts of the server")
    func survival() async throws {
        var survival = StreamSurvival()

        let report = try await survival.run("ahc", over: AsyncHTTPClientTransport())

        print(report)
        expectEqual(report.lost, 0)
        expectEqual(report.doubled, 0)
        expectEqual(report.wrong, 0)
        expectEqual(report.breaks, survival.breaks)
        // An engine may send a request again by itself whose connection was reset before the head.
        expectTrue(report.reconnections >= report.breaks * 4 / 5)
    }
}
#endif
