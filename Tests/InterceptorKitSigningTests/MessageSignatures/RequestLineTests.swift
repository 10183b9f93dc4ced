import Expectations
import InterceptorKit
import InterceptorKitSigning
import Testing

@Suite("RequestLine")
struct RequestLineTests: ComponentSuite {
    @Test("has the request target of the request line")
    func target() throws {
        let connect = SignableMessage.request(
            HTTP.Request("CONNECT", "https://api.example.com/")
        )

        try expectEqual(value(.requestTarget), "/a%20b?c=d")
        try expectEqual(value(.requestTarget, of: "https://api.example.com"), "/")
        try expectEqual(value(.requestTarget, target: "*"), "*")
        try expectEqual(connect.value(of: .requestTarget), "api.example.com:443")
    }

    @Test("refuses a request without an authority")
    func relative() {
        expectEqual(error { try value(.path, of: "/a") }?.code, .missingField)
        expectEqual(error { try value(.authority, of: "/a") }?.code, .missingField)
    }

    @Test("has a query parameter encoded again")
    func parameters() throws {
        let url: HTTP.URL = "https://api.example.com/?d=%c3%BC&e=x+y&f"

        for (name, expected) in [("d", "%C3%BC"), ("e", "x%20y"), ("f", "")] {
            try expectEqual(value(.queryParameter(name), of: url), expected)
        }
    }

    @Test("has no parameter that is missing, or there twice in any spelling")
    func ambiguous() {
        let url: HTTP.URL = "https://api.example.com/?a=1&%61=2&b=3"

        expectEqual(error { try value(.queryParameter("a"), of: url) }?.code, .invalidComponent)
        expectEqual(error { try value(.queryParameter("c"), of: url) }?.code, .missingField)
    }

    @Test("has the authority of Host, without the port that is the scheme's own")
    func authority() throws {
        let url: HTTP.URL = "https://API.example.com:443/"

        try expectEqual(value(.authority, of: url), "api.example.com")
        try expectEqual(value(.authority, ["Host": "Other.example:443"], of: url), "other.example")
        try expectEqual(
            value(.authority, ["Host": "other.example:80"], of: url),
            "other.example:80"
        )
        try expectEqual(
            value(.targetURI, ["Host": "other.example"], of: url),
            "https://other.example/"
        )
    }
}
