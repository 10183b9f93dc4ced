#if HTTPTypes
import Expectations
import HTTPTypes
import InterceptorKit
import InterceptorKitHTTPTypes
import Testing

@Suite("Conversions of statuses to HTTPTypes")
struct MethodAndStatusTests {
    @Test("refuse a status without exactly three digits", arguments: [-1, 1000])
    func refusesStatus(code: Int) {
        let error = #expect(throws: HTTP.RequestError.self) {
            try HTTPResponse(HTTP.Response(HTTP.Status(code)))
        }

        expectEqual(error?.code, .invalidStatus)
    }

    @Test("give a status its registered reason phrase")
    func reasonPhrase() throws {
        let statuses = try [404, 299].map { try HTTPResponse.Status(HTTP.Status($0)) }

        expectEqual(statuses.map(\.reasonPhrase), ["Not Found", ""])
    }
}
#endif
