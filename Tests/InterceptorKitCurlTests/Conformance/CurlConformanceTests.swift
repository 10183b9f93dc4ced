import EngineScenarios
import Expectations
import InterceptorKit
import InterceptorKitConformance
import InterceptorKitCurl
import TestRun
import Testing

@Suite(
    "CurlTransport conformance",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct CurlConformanceTests {
    @Test("behaves as a transport must")
    func conforms() async {
        let report = await TransportConformance.run(
            against: "curl",
            makeBehindProxy: { proxy in
                var settings = CurlTransport.Settings()
                settings.proxy = .address(proxy.text)
                return try CurlTransport(settings: settings)
            },
            make: { try CurlTransport() }
        )

        print(report)
        expectTrue(report.isConformant)
        expectTrue(report.results.count >= 80)
    }

    @Test("sends the targets that signatures cover")
    func signedTargets() async {
        let report = await SignedTargets.run(against: "curl") { try CurlTransport() }

        print(report)
        expectTrue(report.isConformant)
        expectEqual(report.results.count, 6)
    }

    @Test("carries uploads and downloads as a transport must")
    func operations() async {
        let report = await TransportConformance.runTransfers(against: "curl") {
            try CurlTransport()
        }

        print(report)
        expectTrue(report.isConformant)
        expectTrue(report.results.count >= 24)
    }

    @Test("behaves as the proposal of Apple's client asks")
    func httpAPI() async {
        let report = await HTTPAPICases.run(against: "curl") { try CurlTransport() }

        print(report)
        expectTrue(report.isConformant)
        expectEqual(report.results.count, 39)
    }
}
