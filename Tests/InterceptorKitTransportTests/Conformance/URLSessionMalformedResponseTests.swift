import ConformanceVectors
import Expectations
import Foundation
import InterceptorKitTransport
import TestRun
import Testing

@testable import InterceptorKitConformance

@Suite(
    "URLSessionTransport with malformed responses",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct URLSessionMalformedResponseTests {
    private static let limit = Duration.seconds(5)

    @Test("delivers or throws in time as curl's and llhttp's tests say")
    func examples() async {
        let report = await TransportConformance.run(
            MalformedResponse.examples.map(\.requirement),
            as: "malformed examples URLSession",
            timeLimit: .seconds(5)
        ) { URLSessionTransport() }

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
            as: "malformed URLSession",
            excluding: MalformedResponseExclusions.all,
            timeLimit: Self.limit,
            inAnotherProcess: inAnotherProcess
        ) { URLSessionTransport() }

        print(report)
        expectTrue(report.isConformant)
        expectTrue(!rows.isEmpty)
    }

    // What runs in another process takes nothing of this one along, so each has its own closure.
    private func inAnotherProcess(_ row: String) async -> TransportConformance.TestResult {
        var result: ExitTest.Result?
        switch row {
        case "curl-266 HTTP GET with chunked Transfer-Encoding and chunked trailer":
            result = await #expect(processExitsWith: .failure) {
                await Self.tell(
                    "curl-266 HTTP GET with chunked Transfer-Encoding and chunked trailer"
                )
            }
        case "curl-1116 HTTP GET with chunked trailer without Trailer:":
            result = await #expect(processExitsWith: .failure) {
                await Self.tell("curl-1116 HTTP GET with chunked trailer without Trailer:")
            }
        case "rfc closed inside the head":
            result = await #expect(processExitsWith: .failure) {
                await Self.tell("rfc closed inside the head")
            }
        default:
            Issue.record("There is no closure that tries \"\(row)\" in another process.")
        }
        return ChildTestResult.result(result)
    }

    private static func tell(_ row: String) async -> Never {
        guard let found = try? MalformedResponse.core().first(where: { $0.name == row }) else {
            ChildTestResult.end(with: .failed("There is no such row."))
        }
        ChildTestResult.end(
            with: await found.requirement.result(within: limit) { URLSessionTransport() }
        )
    }
}
