import ConformanceVectors
import InterceptorKit
import InterceptorKitTransport
import Testing

@Suite("RedirectInterceptor and curl's flows over URLSession", .timeLimit(.minutes(3)))
struct URLSessionRedirectFlowTests {
    @Test(
        "send the same requests on each hop as curl sends",
        .vectors("auth/redirect-credentials.json")
    )
    func flows() async throws {
        let differences = try await RedirectFlow.differences(
            over: URLSessionTransport(),
            named: "URLSession"
        )

        #expect(differences == [])
    }
}
