import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTransport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Fields joined for Foundation")
struct HeadersJoiningTests {
    @Test("have commas between values of one name, and cookies semicolons")
    func joins() throws {
        let request = HTTP.Request.get(
            "http://example.com",
            headers: [
                "Accept": "a", "accept": "b", "Cookie": "x=1", "Cookie": "y=2", "X-Empty": "",
            ]
        )

        let fields = try URLRequest(request).allHTTPHeaderFields

        expectEqual(fields, ["Accept": "a, b", "Cookie": "x=1; y=2", "X-Empty": ""])
    }
}
