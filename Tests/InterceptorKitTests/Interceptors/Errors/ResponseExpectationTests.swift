import Expectations
import TestSupport
import Testing

@testable import InterceptorKit

@Suite("ResponseExpectation")
struct ResponseExpectationTests {
    private func flaw(
        _ ranges: [String],
        _ headers: HTTP.Headers,
        status: HTTP.Status = 200,
        method: HTTP.Method = .get
    ) -> ResponseExpectation.Flaw? {
        ResponseExpectation(contentTypes: ranges, fields: [], members: []).flaw(
            in: HTTP.Response(
                status,
                headers: headers,
                body: "x",
                request: HTTP.Request(method, orders)
            )
        )
    }

    @Test(
        "accepts ranges of media types, whatever their case",
        arguments: [
            ("*/*", true), ("application/*", true), ("APPLICATION/JSON", true),
            ("application/json; charset=utf-8", true), ("application/json ;", true),
            ("+json", false),
            ("app*", false), ("application/", false), ("application/jso", false),
            ("*/json", false), ("app/*", false), ("text/*", false),
        ]
    )
    func ranges(range: String, isAccepted: Bool) {
        let found = flaw(["a/b", range], ["Content-Type": "Application/JSON; charset=utf-8"])

        expectEqual((found == nil), isAccepted)
    }

    @Test(
        "expects no media type of a response that never has content",
        arguments: [(200, .head), (204, .get), (205, .get), (304, .get)] as [(Int, HTTP.Method)]
    )
    func noContent(status: Int, method: HTTP.Method) {
        expectEqual(flaw(["text/*"], [:], status: HTTP.Status(status), method: method), nil)
        expectEqual(flaw(["text/*"], [:])?.code, .contentType)
    }

    @Test(
        "refuses a media type that no response has when a pipeline is built",
        arguments: [
            ("json", false), ("", false), ("*/json", false), ("a/b/c", false), ("a b/c", false),
            ("*/*", true), ("text/*", true), ("+json", true), ("a/b; c=d", true),
        ]
    )
    func impossible(range: String, isAllowed: Bool) {
        let interceptor = ResponseValidationInterceptor(contentTypes: ["a/b", range])

        expectEqual((try? interceptor.validate()) != nil, isAllowed)
    }

    @Test("escapes what the server calls its media type")
    func forged() throws {
        let found = try unwrap(flaw(["text/*"], ["Content-Type": "a/b\u{1B}[2J\"\nX"]))

        expectEqual(found.code, .contentType)
        expectTrue(!found.text.contains("\u{1B}"))
        expectTrue(!found.text.contains("\n"))
    }
}
