import Expectations
import Foundation
import InterceptorKit
import Testing

@testable import InterceptorKitTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("ResponseConversion")
struct ResponseConversionTests {
    private func foundationResponse(_ fields: [String: String]) throws -> HTTPURLResponse {
        let url = try unwrap(URL(string: "http://example.com"))
        return try unwrap(
            HTTPURLResponse(
                url: url,
                statusCode: 404,
                httpVersion: "HTTP/1.1",
                headerFields: fields
            )
        )
    }

    @Test("converts status and header fields, with Set-Cookie split")
    func carriesOver() throws {
        let date = "a=1; Expires=Wed, 09 Jun 2021 10:18:14 GMT"
        let fields = ["Set-Cookie": "\(date), b=2", "X-List": "1, 2"]

        let response = HTTP.Response(try foundationResponse(fields))

        expectEqual(response.status, 404)
        expectEqual(response.headers.values("set-cookie"), [date, "b=2"])
        expectEqual(response.headers.values("x-list"), ["1, 2"])
    }

    @Test("converts a response to an HTTPURLResponse and back")
    func comesBack() throws {
        let response = HTTP.Response(
            201,
            headers: ["Set-Cookie": "a=1", "set-cookie": "b=2", "X-A": "1"],
            request: .get("http://example.com/x")
        )

        let converted = try unwrap(HTTPURLResponse(response))
        let back = HTTP.Response(converted)

        expectEqual(converted.statusCode, 201)
        expectEqual(converted.url?.absoluteString, "http://example.com/x")
        expectEqual(back.headers.values("Set-Cookie"), ["a=1", "b=2"])
        expectEqual(back.headers["X-A"], "1")
    }

    @Test("converts to no HTTPURLResponse without a URL")
    func withoutURL() {
        let converted = HTTPURLResponse(HTTP.Response(200))

        expectEqual(converted, nil)
    }

    @Test(
        "drops the coding and length of a body that Foundation decoded",
        arguments: ["gzip", "GZIP", "deflate", "br", "gzip, br", "identity"]
    )
    func decoded(coding: String) {
        let headers: HTTP.Headers = ["Content-Encoding": coding, "Content-Length": "9", "X-A": "1"]

        let truthful = headers.describingDecodedBody()

        expectEqual(truthful, ["X-A": "1"])
    }

    @Test(
        "keeps the coding and length of a body that Foundation did not decode",
        arguments: ["x", "gzip, x"]
    )
    func notDecoded(coding: String) {
        let headers: HTTP.Headers = ["Content-Encoding": coding, "Content-Length": "9"]

        expectEqual(headers.describingDecodedBody(), headers)
    }

    @Test("keeps the length of a body that had no coding")
    func uncoded() {
        let headers: HTTP.Headers = ["Content-Length": "9"]

        expectEqual(headers.describingDecodedBody(), headers)
    }
}
