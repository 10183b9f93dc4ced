import TestSupport
import Testing

@testable import InterceptorKit
@testable import InterceptorKitSigning

@Suite("The signature base of a message")
struct SignatureBaseTests {
    private func value(
        _ component: MessageComponent,
        _ headers: HTTP.Headers = [:],
        of url: HTTP.URL = "https://api.example.com/a%20b?c=d",
        target: String? = nil
    ) throws -> String {
        let message = SignableMessage.request(.get(url, headers: headers), target: target)
        return try message.value(of: component)
    }

    private func error(_ body: () throws -> String) -> SigningError? {
        #expect(throws: SigningError.self) { try body() }
    }

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

    @Test("has members of a dictionary, and fields in canonical form")
    func rewritten() throws {
        let fields: HTTP.Headers = [
            "X-Dict": "a=1,   b=(2   3);c , d", "X-List": "a,   b;c=1", "Priority": "u=1,   i=?1",
        ]

        #expect(try value(.field("x-dict").key("b"), fields) == "(2 3);c")
        #expect(try value(.field("x-dict").key("d"), fields) == "?1")
        #expect(try value(.field("x-list").structured, fields) == "a, b;c=1")
        #expect(try value(.field("priority").structured, fields) == "u=1, i")
    }

    @Test("refuses a field that doesn't have the declared form")
    func unreadable() {
        let fields: HTTP.Headers = [
            "X-Text": "no, (dictionary", "X-Dict": "a=1", "Priority": "(1 2)",
            "X-Either": "a, b, a",
        ]

        for component in [
            MessageComponent.field("x-text").key("a"), .field("x-text").structured,
            .field("priority").structured,
        ] {
            #expect(error { try value(component, fields) }?.code == .invalidComponent)
        }
        #expect(error { try value(.field("x-dict").key("b"), fields) }?.code == .missingField)
        // A dictionary has `a` once, a list twice: the two sides need not read the same.
        let either = error { try value(.field("x-either").structured, fields) }
        #expect(either?.code == .invalidComponent)
        #expect(either?.message.contains("a list and as a dictionary") == true)
    }

    @Test("of a response has its status, and components of a known request")
    func response() throws {
        let response = HTTP.Response(204)
        let alone = SignableMessage.response(response)
        let answering = SignableMessage.response(response, to: .put("https://api.example.com/a"))

        #expect(try alone.value(of: .status) == "204")
        #expect(try answering.value(of: .method.ofRequest) == "PUT")
        #expect(error { try alone.value(of: .method.ofRequest) }?.code == .missingField)
        #expect(error { try answering.value(of: .method) }?.code == .invalidComponent)
        #expect(error { try value(.method.ofRequest) }?.code == .invalidComponent)
        #expect(error { try value(.status) }?.code == .invalidComponent)
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

    @Test("keeps invalid percent-encoding as text, as forms do")
    func broken() {
        let parameters = FormEncoding.parameters(of: "a=100%&%b=%zz&c=%4".utf8)

        #expect(parameters.map(\.name) == ["a", "%25b", "c"])
        #expect(parameters.map(\.value) == ["100%25", "%25zz", "%254"])
    }

    @Test(
        "refuses unreadable identifiers, and those with invalid parameters",
        arguments: [
            #""x";sf=1"#, #""x";key"#, #""x";key=1"#, #""@method";req=?0"#, #""x";tr="a""#, "x",
            "1",
            #""x"#, #""@nothing""#, #""x";future"#,
        ]
    )
    func identifiers(text: String) {
        #expect(error { try "\(MessageComponent(parsing: text))" }?.code == .invalidComponent)
    }
}
