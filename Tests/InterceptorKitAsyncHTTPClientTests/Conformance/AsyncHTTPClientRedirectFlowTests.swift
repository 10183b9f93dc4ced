#if AsyncHTTPClient
import Expectations
import ConformanceVectors
import InterceptorKit
import InterceptorKitAsyncHTTPClient
import TestRun
import Testing

@Suite(
    "RedirectInterceptor over AsyncHTTPClient",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct AsyncHTTPClientRedirectFlowTests {
    @Test("sends credentials to another port only if told to, as curl does")
    func examples() async throws {
        let differences = try await RedirectFlow.differences(
            following: RedirectFlow.examples,
            over: AsyncHTTPClientTransport(),
            named: "examples ahc"
        )

        expectEqual(differences, [])
    }

    @Test(
        "sends on each hop of curl's redirect flows what curl sends",
        .tags(.vectors),
        .vectors("auth/redirect-credentials.json")
    )
    func flows() async throws {
        let differences = try await RedirectFlow.differences(
            over: AsyncHTTPClientTransport(),
            named: "ahc"
        )

        expectEqual(differences, [])
    }
}
#endif
