import EngineScenarios
import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTransport
import TestRun
import Testing

@testable import InterceptorKitConformance

@Suite(
    "URLSessionTransport conformance",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct URLSessionConformanceTests {
    @Test("behaves as a transport must, except for the platform's limitations")
    func conforms() async {
        let report = await TransportConformance.run(
            against: "URLSession",
            excluding: URLSessionExclusions.all,
            inAnotherProcess: inAnotherProcess
        ) { URLSessionTransport() }

        print(report)
        expectTrue(report.isConformant)
        expectTrue(report.results.count >= 80)
    }

    #if canImport(FoundationNetworking)
    // The proxy is the environment's there, and so that of a process.
    @Test("reports the refusals of a proxy as a transport must")
    func proxies() async {
        let result = await #expect(processExitsWith: .failure) {
            let report = await TransportConformance.run(
                TransportConformance.Requirement.proxies { proxy in
                    unsafe setenv("http_proxy", proxy.text, 1)
                    unsafe setenv("https_proxy", proxy.text, 1)
                    return URLSessionTransport()
                },
                as: "transport URLSession behind a proxy",
                concurrency: 1
            ) { URLSessionTransport() }
            print(report)
            ChildTestResult.end(with: report.isConformant ? .passed : .failed(report.summary))
        }

        expectEqual(ChildTestResult.result(result), .passed)
    }

    @Test("can do with proxies what the documentation says")
    func documentedProxies() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardOutputContent]
        ) {
            let table = ProxyTable(engine: "URLSession on Linux") {
                URLSessionTransport()
            } inCode: { _ in
                nil
            }
            try await table.report()
        }

        let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
        expectEqual(result?.exitStatus, .exitCode(ProxyTable.isRight), "\(output)")
    }
    #endif

    @Test("sends the targets that signatures cover")
    func signedTargets() async {
        let report = await SignedTargets.run(against: "URLSession") { URLSessionTransport() }

        print(report)
        expectTrue(report.isConformant)
        expectEqual(report.results.count, 6)
    }

    @Test("carries uploads and downloads as a transport must")
    func transfers() async {
        let report = await TransportConformance.runTransfers(against: "URLSession") {
            URLSessionTransport()
        }

        print(report)
        expectTrue(report.isConformant)
        expectTrue(report.results.count >= 24)
    }

    @Test("behaves as Apple's proposal asks, except for the platform's faults")
    func httpAPI() async {
        let report = await HTTPAPICases.run(
            against: "URLSession",
            excluding: URLSessionExclusions.httpAPI
        ) { URLSessionTransport() }

        print(report)
        expectTrue(report.isConformant)
        expectEqual(report.results.count, 39)
    }

    // What runs in another process takes nothing of this one along, so each has its own closure.
    private func inAnotherProcess(_ requirement: String) async -> TransportConformance.TestResult {
        var result: ExitTest.Result?
        switch requirement {
        case "delivers a body that has trailers":
            result = await #expect(processExitsWith: .failure) {
                await ChildTestResult.tell("delivers a body that has trailers")
            }
        case "fails when the connection closes within the head":
            result = await #expect(processExitsWith: .failure) {
                await ChildTestResult.tell("fails when the connection closes within the head")
            }
        case "delivers a redirect to an address without a scheme":
            result = await #expect(processExitsWith: .failure) {
                await ChildTestResult.tell("delivers a redirect to an address without a scheme")
            }
        case "fails before the deadline, or at it, on a head of 100,000 lines":
            result = await #expect(processExitsWith: .failure) {
                await ChildTestResult.tell(
                    "fails before the deadline, or at it, on a head of 100,000 lines"
                )
            }
        case "fails on the largest length that is a number, where the body ends":
            result = await #expect(processExitsWith: .failure) {
                await ChildTestResult.tell(
                    "fails on the largest length that is a number, where the body ends"
                )
            }
        default:
            Issue.record("There is no closure that tries \"\(requirement)\" in another process.")
        }
        return ChildTestResult.result(result)
    }
}
