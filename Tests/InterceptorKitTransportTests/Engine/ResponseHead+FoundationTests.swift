import Expectations
import InterceptorKit
import InterceptorKitEngine
import Testing

@testable import InterceptorKitTransport

@Suite("ResponseHead of URLSession")
struct ResponseHeadFoundationTests {
    static let usable: [HTTP.Headers] = [
        [:], ["Content-Length": "0"], ["Content-Length": "12"], ["Content-Length": "12, 12"],
        ["content-length": "007"], ["Content-Length": "+1", "Transfer-Encoding": "chunked"],
    ]

    @Test("accepts a Content-Length that is one number", arguments: usable)
    func usableLength(headers: HTTP.Headers) {
        expectTrue(ResponseHead(status: 200, headers: headers).hasUsableLength(method: "GET"))
    }

    static let unusable = [
        "", "12, 13", "12,", "+12", "-1", "0x1", "1 2", "twelve", "92233720368547758070",
    ]

    @Test("refuses a Content-Length that is invalid or ambiguous", arguments: unusable)
    func unusableLength(text: String) {
        let head = ResponseHead(status: 200, headers: ["Content-Length": text])

        expectTrue(!head.hasUsableLength(method: "GET"))
    }

    @Test(
        "ignores the Content-Length of a response without a body",
        arguments: [204, 304] as [HTTP.Status]
    )
    func noContent(status: HTTP.Status) {
        let headers: HTTP.Headers = ["Content-Length": "12, 13"]

        expectTrue(ResponseHead(status: status, headers: headers).hasUsableLength(method: "GET"))
        expectTrue(ResponseHead(status: 200, headers: headers).hasUsableLength(method: "HEAD"))
    }
}
