#if AsyncHTTPClient
import Expectations
import AsyncHTTPClient
import EngineScenarios
import InterceptorKit
import InterceptorKitAsyncHTTPClient
import InterceptorKitConformance
import TestRun
import Testing

@Suite(
    "AsyncHTTPClientTransport conformance",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct AsyncHTTPClientConformanceTests {
    @Test("behaves as a transport must")
    func conforms() async {
        let report = await TransportConformance.run(
            against: "ahc",
            excluding: AsyncHTTPClientExclusions.all,
            makeBehindProxy: { proxy in
                var configuration = AsyncHTTPClientTransport.defaultConfiguration
                configuration.proxy = .server(host: proxy.host ?? "", port: proxy.port ?? 0)
                return AsyncHTTPClientTransport(configuration: configuration)
            },
            make: { AsyncHTTPClientTransport() }
        )

        print(report)
        expectTrue(report.isConformant)
        expectTrue(report.results.count >= 80)
    }

    @Test("sends the targets that signatures cover")
    func signedTargets() async {
        let report = await SignedTargets.run(against: "ahc") { AsyncHTTPClientTransport() }

        print(report)
        expectTrue(report.isConformant)
        expectEqual(report.results.count, 6)
    }

    @Test("carries uploads and downloads as a transport must")
    func transfers() async {
        let report = await TransportConformance.runTransfers(against: "ahc") {
            AsyncHTTPClientTransport()
        }

        print(report)
        expectTrue(report.isConformant)
        expectTrue(report.results.count >= 24)
    }

    @Test("behaves as the proposal of Apple's client asks")
    func httpAPI() async {
        let report = await HTTPAPICases.run(
            against: "ahc",
            excluding: AsyncHTTPClientExclusions.httpAPI
        ) { AsyncHTTPClientTransport() }

        print(report)
        expectTrue(report.isConformant)
        expectEqual(report.results.count, 39)
    }

    @Test("behaves as a transport must when its client decompresses")
    func decompressing() async {
        let report = await TransportConformance.run(
            against: "ahc, decompressing",
            excluding: AsyncHTTPClientExclusions.all + AsyncHTTPClientExclusions.decompressing
        ) {
            var configuration = AsyncHTTPClientTransport.defaultConfiguration
            configuration.decompression =
                HTTPClient.Configuration.singletonConfiguration.decompression
            return AsyncHTTPClientTransport(configuration: configuration)
        }

        print(report)
        expectTrue(report.isConformant)
    }
}
#endif
