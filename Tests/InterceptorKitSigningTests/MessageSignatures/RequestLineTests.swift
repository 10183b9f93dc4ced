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

        #expect(try value(.requestTarget) == "/a%20b?c=d")
        #expect(try value(.requestTarget, of: "https://api.example.com") == "/")
        #expect(try value(.requestTarget, target: "*") == "*")
        #expect(try connect.value(of: .requestTarget) == "api.example.com:443")
    }

    @Test("refuses a request without an authority")
    func relative() {
        #expect(error { try value(.path, of: "/a") }?.code == .missingField)
        #expect(error { try value(.authority, of: "/a") }?.code == .missingField)
    }

    @Test("has a query parameter encoded again")
    func parameters() throws {
        let url: HTTP.URL = "https://api.example.com/?d=%c3%BC&e=x+y&f"

        for (name, expected) in [("d", "%C3%BC"), ("e", "x%20y"), ("f", "")] {
            #expect(try value(.queryParameter(name), of: url) == expected)
        }
    }

    @Test("has no parameter that is missing, or there twice in any spelling")
    func ambiguous() {
        let url: HTTP.URL = "https://api.example.com/?a=1&%61=2&b=3"

        #expect(error { try value(.queryParameter("a"), of: url) }?.code == .invalidComponent)
        #expect(error { try value(.queryParameter("c"), of: url) }?.code == .missingField)
    }

    @Test("has the authority of Host, without the port that is the scheme's own")
    func authority() throws {
        let url: HTTP.URL = "https://API.example.com:443/"

        #expect(try value(.authority, of: url) == "api.example.com")
        #expect(try value(.authority, ["Host": "Other.example:443"], of: url) == "other.example")
        #expect(try value(.authority, ["Host": "other.example:80"], of: url) == "other.example:80")
        #expect(
            try value(.targetURI, ["Host": "other.example"], of: url) == "https://other.example/"
        )
    }
}
