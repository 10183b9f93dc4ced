import ConformanceVectors
import Expectations
import InterceptorKit
import InterceptorKitCurl
import TestRun
import Testing

@Suite(
    "RedirectInterceptor over libcurl",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct CurlRedirectFlowTests {
    @Test("sends credentials to another port only if told to, as curl does")
    func examples() async throws {
        let differences = try await RedirectFlow.differences(
            following: RedirectFlow.examples,
            over: CurlTransport(),
            named: "examples curl"
        )

        expectEqual(differences, [])
    }

    @Test(
        "sends on each hop of curl's redirect flows what curl sends",
        .tags(.vectors),
        .vectors("auth/redirect-credentials.json")
    )
    func flows() async throws {
        let differences = try await RedirectFlow.differences(over: CurlTransport(), named: "curl")

        expectEqual(differences, [])
    }
}
