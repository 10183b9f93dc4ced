import Expectations
import InterceptorKit
import TestSupport
import Testing

@Suite("HTTP.Origin")
struct OriginTests {
    @Test("is equal with and without the default port, in any case")
    func equality() {
        let origin: HTTP.Origin = "https://api.example.com"

        expectEqual(origin, "HTTPS://API.example.com:443/")
        expectEqual(origin, HTTP.URL("https://api.example.com/a?b").origin)
        expectTrue(origin != "http://api.example.com")
        expectTrue(origin != "https://api.example.com:8443")
        expectEqual(origin.authority, "api.example.com")
    }

    @Test("refuses parts that no origin has")
    func parts() {
        let evil = HTTP.Origin(scheme: "https", host: "a.example/@evil.example", port: nil)
        for origin in [
            evil, HTTP.Origin(scheme: "https://b.example/?", host: "a"),
            HTTP.Origin(scheme: "https", host: "a", port: 65_536),
            HTTP.Origin(scheme: "ftp", host: "a"),
        ] {
            #expect(throws: HTTP.RequestError.self) { try origin.validate() }
            #expect(throws: HTTP.RequestError.self) { try HTTP.URL("\(origin)/x").validate() }
        }
        expectEqual(HTTP.Origin(scheme: "HTTPS", host: "[::1]", port: 443), "https://[::1]")
    }

    @Test(
        "matches nothing and says why when the text is not an origin",
        arguments: [
            "api.example.com", "https://a/v1", "https://a?x", "*", "", "ftp://a", "https://",
        ]
    )
    func invalid(text: String) {
        let origin = HTTP.Origin(text)

        expectTrue(origin != HTTP.URL("https://a/v1").origin)
        #expect(throws: HTTP.RequestError.self) { try origin.validate() }
    }
}
