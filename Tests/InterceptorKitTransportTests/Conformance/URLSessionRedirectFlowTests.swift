import ConformanceVectors
import Expectations
import InterceptorKit
import InterceptorKitTransport
import TestRun
import Testing

@Suite(
    "RedirectInterceptor over URLSession",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct URLSessionRedirectFlowTests {
    @Test("sends credentials to another port only if told to, as curl does")
    func examples() async throws {
        let differences = try await RedirectFlow.differences(
            following: RedirectFlow.examples,
            over: URLSessionTransport(),
            named: "examples URLSession"
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
            over: URLSessionTransport(),
            named: "URLSession"
        )

        expectEqual(differences, [])
    }
}
