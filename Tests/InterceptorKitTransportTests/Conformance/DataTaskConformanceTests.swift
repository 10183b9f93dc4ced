import Expectations
import Foundation
import InterceptorKitConformance
import InterceptorKitTransport
import TestRun
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(
    "DataTaskTransport conformance",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct DataTaskConformanceTests {
    @Test("behaves as a transport must, except for what a session does by itself")
    func conforms() async {
        let report = await TransportConformance.run(
            against: "MyURLSession",
            excluding: DataTaskExclusions.all
        ) {
            let configuration = URLSessionConfiguration.ephemeral
            configuration.urlCache = nil
            configuration.httpCookieStorage = nil
            let session = URLSession(configuration: configuration)
            return DataTaskTransport(session, maximumRequestBodyBytes: 32 << 20)
        }

        print(report)
        expectTrue(report.isConformant)
        expectTrue(report.results.count >= 80)
    }
}
