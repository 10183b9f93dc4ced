import ConformanceVectors
import InterceptorKit
import InterceptorKitTransport
import Testing

@Suite("RedirectInterceptor and curl's flows over URLSession", .timeLimit(.minutes(3)))
struct URLSessionRedirectFlowTests {
    @Test(
        "sends on each hop what curl sends",
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
