import ConformanceVectors
import InterceptorKit
import InterceptorKitTransport
import Testing

@Suite("RedirectInterceptor and curl's flows over URLSession", .timeLimit(.minutes(3)))
struct URLSessionRedirectFlowTests {
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
            over: URLSessionTransport(),
            named: "URLSession"
        )

        #expect(differences == [])
        #expect(!flows.isEmpty)
    }
}
