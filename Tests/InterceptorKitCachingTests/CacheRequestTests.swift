import Expectations
import Testing

@testable import InterceptorKit
@testable import InterceptorKitCaching

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("CacheRequest")
struct CacheRequestTests {
    private static let noon = "Sun, 06 Nov 1994 12:00:00 GMT"

    private func stored(_ headers: HTTP.Headers) -> StoredResponse {
        StoredResponse(
            id: 1,
            key: CacheKey(url: "https://a.example/"),
            status: 200,
            headers: headers,
            requestDate: Date(timeIntervalSince1970: 784_123_200),
            responseDate: Date(timeIntervalSince1970: 784_123_200)
        )
    }

    private func isSatisfied(_ asked: HTTP.Headers, by headers: HTTP.Headers) -> Bool {
        CacheRequest(.get("https://a.example/", headers: asked)).isSatisfied(by: stored(headers))
    }

    @Test("has no stored answer if it has a body or asks the origin by conditions")
    func answerable() {
        let url: HTTP.URL = "https://a.example/"
        let own: [HTTP.Headers] = [
            [:], ["If-None-Match": "*"], ["If-Modified-Since": Self.noon], ["Range": "bytes=0-"],
        ]
        let origins: [HTTP.Headers] = [["If-Match": "*"], ["If-Unmodified-Since": Self.noon]]

        for headers in own {
            expectTrue(CacheRequest.isAnswerable(.get(url, headers: headers)))
            expectTrue(CacheRequest.isAnswerable(.head(url, headers: headers)))
        }
        for headers in origins {
            expectTrue(!CacheRequest.isAnswerable(.get(url, headers: headers)))
        }
        expectTrue(!CacheRequest.isAnswerable(HTTP.Request(.get, url, body: "a")))
        expectTrue(!CacheRequest.isAnswerable(.post(url)))
        expectTrue(!CacheRequest.isAnswerable(HTTP.Request("get", url)))
    }

    @Test("an asterisk names whatever is stored, and a tag nothing without one")
    func anyTag() {
        expectTrue(isSatisfied(["If-None-Match": "*"], by: [:]))
        expectTrue(!isSatisfied(["If-None-Match": #""v1""#], by: [:]))
        expectTrue(isSatisfied(["If-None-Match": #""v0", W/"v1""#], by: ["ETag": #""v1""#]))
    }

    @Test("a date is compared with Last-Modified, else Date, else the arrival")
    func dates() {
        let asked: HTTP.Headers = ["If-Modified-Since": Self.noon]
        let later = "Sun, 06 Nov 1994 12:00:01 GMT"

        expectTrue(isSatisfied(asked, by: ["Last-Modified": Self.noon, "Date": later]))
        expectTrue(!isSatisfied(asked, by: ["Last-Modified": later, "Date": Self.noon]))
        expectTrue(isSatisfied(asked, by: ["Date": Self.noon]))
        expectTrue(!isSatisfied(asked, by: ["Date": later]))
        expectTrue(isSatisfied(asked, by: [:]))
        expectTrue(!isSatisfied(["If-Modified-Since": "yesterday"], by: [:]))
    }
}
