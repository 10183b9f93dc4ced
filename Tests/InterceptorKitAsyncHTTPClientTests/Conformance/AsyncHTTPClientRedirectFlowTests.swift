#if AsyncHTTPClient
import ConformanceVectors
import InterceptorKit
import InterceptorKitAsyncHTTPClient
import Testing

@Suite("RedirectInterceptor and curl's flows over AsyncHTTPClient", .timeLimit(.minutes(3)))
struct AsyncHTTPClientRedirectFlowTests {
    @Test(
        "sends on each hop what curl sends",
        .enabled("the vectors are not beside the package and INTERCEPTORKIT_VECTORS names no place")
        {
            try RedirectFlow.all() != nil
        }
    )
    func flows() async throws {
        let flows = try #require(try RedirectFlow.all())

        let differences = try await RedirectFlow.differences(
            of: flows,
            over: AsyncHTTPClientTransport(),
            named: "ahc"
        )

        #expect(differences == [])
        #expect(!flows.isEmpty)
    }
}
#endif
