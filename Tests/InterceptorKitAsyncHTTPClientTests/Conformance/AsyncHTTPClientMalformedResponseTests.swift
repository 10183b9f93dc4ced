#if AsyncHTTPClient
import Expectations
import ConformanceVectors
import InterceptorKitAsyncHTTPClient
import TestRun
import Testing

@testable import InterceptorKitConformance

@Suite(
    "AsyncHTTPClientTransport with malformed responses",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct AsyncHTTPClientMalformedResponseTests {
    @Test("delivers or throws in time as curl's and llhttp's tests say")
    func examples() async {
        let report = await TransportConformance.run(
            MalformedResponse.examples.map(\.requirement),
            as: "malformed examples ahc",
            timeLimit: .seconds(5)
        ) { AsyncHTTPClientTransport() }

        print(report)
        expectTrue(report.isConformant)
    }

    @Test(
        "delivers or throws as each rule demands, within the time limit",
        .tags(.vectors),
        .vectors("malformed-responses")
    )
    func coreRows() async throws {
        let rows = try MalformedResponse.core()

        let report = await TransportConformance.run(
            rows.map(\.requirement),
            as: "malformed ahc",
            excluding: AsyncHTTPClientExclusions.malformed,
            timeLimit: .seconds(5)
        ) { AsyncHTTPClientTransport() }

        print(report)
        expectTrue(report.isConformant)
        expectTrue(!rows.isEmpty)
    }
}
#endif
