#if AsyncHTTPClient
import ConformanceVectors
import InterceptorKit
import InterceptorKitAsyncHTTPClient
import Testing

@Suite("RedirectInterceptor and curl's flows over AsyncHTTPClient", .timeLimit(.minutes(3)))
struct AsyncHTTPClientRedirectFlowTests {
    @Test(
        "send the same requests on each hop as curl sends",
        .vectors("auth/redirect-credentials.json")
    )
    func flows() async throws {
        let differences = try await RedirectFlow.differences(
            over: AsyncHTTPClientTransport(),
            named: "ahc"
        )

        #expect(differences == [])
    }
}
#endif
