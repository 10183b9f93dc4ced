import ConformanceVectors
import InterceptorKit
import InterceptorKitCurl
import Testing

@Suite("RedirectInterceptor and curl's flows over libcurl", .timeLimit(.minutes(3)))
struct CurlRedirectFlowTests {
    @Test(
        "send the same requests on each hop as curl sends",
        .vectors("auth/redirect-credentials.json")
    )
    func flows() async throws {
        let differences = try await RedirectFlow.differences(over: CurlTransport(), named: "curl")

        #expect(differences == [])
    }
}
