import ConformanceVectors
import InterceptorKit
import InterceptorKitCurl
import Testing

@Suite("RedirectInterceptor over libcurl", .timeLimit(.minutes(3)))
struct CurlRedirectFlowTests {
    @Test(
        "sends on each hop of curl's redirect flows what curl sends",
        .vectors("auth/redirect-credentials.json")
    )
    func flows() async throws {
        let differences = try await RedirectFlow.differences(over: CurlTransport(), named: "curl")

        #expect(differences == [])
    }
}
