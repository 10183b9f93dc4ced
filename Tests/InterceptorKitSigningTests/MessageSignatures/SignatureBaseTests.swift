import Expectations
import InterceptorKit
import InterceptorKitSigning
import Testing

@Suite("SignatureBase")
struct SignatureBaseTests: ComponentSuite {
    @Test("of a response has its status, and components of a known request")
    func response() throws {
        let response = HTTP.Response(204)
        let alone = SignableMessage.response(response)
        let answering = SignableMessage.response(response, to: .put("https://api.example.com/a"))

        try expectEqual(alone.value(of: .status), "204")
        try expectEqual(answering.value(of: .method.ofRequest), "PUT")
        expectEqual(error { try alone.value(of: .method.ofRequest) }?.code, .missingField)
        expectEqual(error { try answering.value(of: .method) }?.code, .invalidComponent)
        expectEqual(error { try value(.method.ofRequest) }?.code, .invalidComponent)
        expectEqual(error { try value(.status) }?.code, .invalidComponent)
    }

    @Test("refuses a value beyond printable ASCII, whose bytes can be covered")
    func unprintable() throws {
        let fields: HTTP.Headers = ["X-Name": "Jürgen"]

        expectEqual(error { try value(.field("x-name"), fields) }?.code, .invalidComponent)
        try expectEqual(value(.field("x-name").bytes, fields), ":SsO8cmdlbg==:")
    }

    @Test("has each component once, whatever form it is written in")
    func repeats() throws {
        let message = SignableMessage.request(.get("https://h.example/", headers: ["X-A": "1"]))
        func base(_ components: [MessageComponent]) throws -> String {
            try message.signatureBase(SignatureParameters(components))
        }

        try expectEqual(
            base(["x-a", .field("x-a").bytes]),
            """
            "x-a": 1
            "x-a";bs: :MQ==:
            "@signature-params": ("x-a" "x-a";bs)
            """
        )
        expectEqual(error { try base(["x-a", .method, "X-A"]) }?.code, .invalidComponent)
    }
}
