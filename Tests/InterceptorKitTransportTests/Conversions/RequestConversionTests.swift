import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTransport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("RequestConversion")
struct RequestConversionTests {
    @Test(
        "refuses a method that Foundation would change to upper case",
        arguments: ["post", "Get", "delete"]
    )
    func foreignCapitals(method: String) throws {
        let request = HTTP.Request(HTTP.Method(rawValue: method), "https://api.example.com/")

        let error = #expect(throws: HTTP.RequestError.self) { try URLRequest(request) }

        expectEqual(error?.code, .invalidMethod)
        expectEqual(error?.message.contains(method), true)
    }

    @Test("keeps the case of other methods", arguments: ["patch", "Report", "QUERY"])
    func ownCapitals(method: String) throws {
        let request = HTTP.Request(HTTP.Method(rawValue: method), "https://api.example.com/")

        try expectEqual(URLRequest(request).httpMethod, method)
    }

    @Test("converts method, URL, header fields, body and timeout")
    func carriesOver() throws {
        let request = HTTP.Request(
            .post,
            "http://api.example.com:81/a%2Fb+c?q=%20",
            headers: ["X-lower-CASE": "1", "content-length": "4"],
            body: "text"
        )

        let converted = try URLRequest(request, timeoutInterval: 7)

        expectEqual(converted.httpMethod, "POST")
        expectEqual(converted.url?.absoluteString, "http://api.example.com:81/a%2Fb+c?q=%20")
        expectEqual(converted.allHTTPHeaderFields, ["X-lower-CASE": "1"])
        expectEqual(converted.httpBody, Data("text".utf8))
        expectEqual(converted.timeoutInterval, 7)
    }

    @Test(
        "refuses a request that would change on the wire",
        arguments: [
            HTTP.Request.get("http://example.com", headers: ["X-A": "1\r\nX-B: 2"]),
            HTTP.Request.get("http://example.com", headers: ["X-A: 1\r\nX-B": "2"]),
            HTTP.Request.get("http://example.com", headers: ["Transfer-Encoding": "chunked"]),
            HTTP.Request("GET / HTTP/1.1\r\nX: y", "http://example.com"),
            HTTP.Request.get("http://example.com/\r\nX: y"),
            HTTP.Request.get("ftp://example.com"),
            HTTP.Request.get("/relative"),
            HTTP.Request.get("http://example.com/a/../b"),
            HTTP.Request.get("http://example.com/a/%2E%2e/b"),
            HTTP.Request.get("http://example.com/a/."),
            HTTP.Request.get("http://example.com/a?"),
        ]
    )
    func refuses(request: HTTP.Request) {
        #expect(throws: HTTP.RequestError.self) { try URLRequest(request) }
    }

    @Test("says how to write brackets, which Foundation takes encoded only")
    func brackets() throws {
        for url in ["http://example.com/a?ids[]=1", "http://example.com/a[1]"] {
            let request = HTTP.Request.get(HTTP.URL(unvalidated: url))

            let error = #expect(throws: HTTP.RequestError.self) { try URLRequest(request) }

            expectEqual(error?.message.contains("as %5B and %5D"), true)
        }
    }

    @Test("converts a request there and back without a change")
    func comesBack() throws {
        let request = HTTP.Request(
            .put,
            "http://example.com/x?y",
            headers: ["A": "1", "B": "2"],
            body: "text"
        )

        let back = try HTTP.Request(URLRequest(request))

        expectEqual(back.method, .put)
        expectEqual(back.url, request.url)
        expectEqual(back.headers, request.headers)
        expectEqual(back.body.inMemory, Data("text".utf8))
    }
}
