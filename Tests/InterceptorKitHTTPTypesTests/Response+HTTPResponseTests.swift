#if HTTPTypes
import Expectations
import HTTPTypes
import InterceptorKit
import InterceptorKitHTTPTypes
import Testing

/// What is converted and converted back is what it was.
@Suite("Responses through HTTPTypes")
struct ResponseHTTPResponseTests {
    @Test("are left unchanged", arguments: [1, 2, 3] as [UInt64])
    func responses(seed: UInt64) throws {
        var messages = MessageGenerator(seed: seed)
        for _ in 0..<1_000 {
            let response = messages.response()

            let back = try HTTP.Response(HTTPResponse(response), body: response.body)

            expectEqual(back.status, response.status)
            expectEqual(Array(back.headers), Array(response.headers))
        }
    }
}
#endif
