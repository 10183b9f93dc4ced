import InterceptorKitCurl
import InterceptorKitTesting
import Testing

@Suite("CurlTransport conformance", .timeLimit(.minutes(3)))
struct CurlConformanceTests {
    @Test("behaves as a transport must, apart from what libcurl decides")
    func conforms() async {
        let report = await TransportConformance.run(
            against: "curl",
            excluding: CurlExclusions.all
        ) { try CurlTransport() }

        print(report)
        #expect(report.isConformant)
        #expect(report.results.count >= 80)
    }
}
