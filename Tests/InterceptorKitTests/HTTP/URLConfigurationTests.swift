import Expectations
import InterceptorKit
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("HTTP.URL from configuration")
struct URLConfigurationTests {
    @Test(
        "takes text that is a URL or a reference",
        arguments: ["https://a.example/v1", "/orders"]
    )
    func text(text: String) throws {
        try expectEqual(HTTP.URL(string: text).text, text)
    }

    @Test(
        "refuses other text at once",
        arguments: ["https://a b/", "ftp://a.example/", "https://", "//a.example/x"]
    )
    func refusals(text: String) {
        #expect(throws: HTTP.RequestError.self) { try HTTP.URL(string: text) }
    }

    @Test("takes Foundation's URLs, and refuses a file's")
    func foundation() throws {
        let url = try unwrap(URL(string: "https://a.example/v1?x=1"))

        try expectEqual(HTTP.URL(url), "https://a.example/v1?x=1")
        #expect(throws: HTTP.RequestError.self) {
            try HTTP.URL(URL(fileURLWithPath: "/tmp/x"))
        }
    }

    @Test(
        "sets one query parameter and leaves all others byte for byte",
        arguments: [
            ("https://a/x", "https://a/x?p=n%2B"), ("https://a/x?", "https://a/x?p=n%2B"),
            ("https://a/x?p=1&q=%7e&p=2#f", "https://a/x?p=n%2B&q=%7e#f"),
            ("https://a/x?q=+&%70=1", "https://a/x?q=+&p=n%2B"),
        ]
    )
    func setting(text: String, changed: String) throws {
        try expectEqual(HTTP.URL(string: text).setting(parameter: "p", to: "n+").text, changed)
    }

    @Test("removes a query parameter that is set to nil")
    func removing() {
        let url: HTTP.URL = "https://a/x?p=1&q=2"

        expectEqual(url.setting(parameter: "p", to: nil), "https://a/x?q=2")
    }
}
