import ConformanceVectors
import Expectations
import Foundation
import InterceptorKitCurl
import TestRun
import Testing

@testable import InterceptorKitConformance

@Suite(
    "CurlTransport with malformed responses",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct CurlMalformedResponseTests {
    @Test("delivers or throws in time as curl's and llhttp's tests say")
    func examples() async {
        let report = await TransportConformance.run(
            MalformedResponse.examples.map(\.requirement),
            as: "malformed examples curl",
            timeLimit: .seconds(5)
        ) { try CurlTransport() }

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
            as: "malformed curl",
            timeLimit: .seconds(5)
        ) { try CurlTransport() }

        print(report)
        expectTrue(report.isConformant)
        expectTrue(!rows.isEmpty)
    }
}
