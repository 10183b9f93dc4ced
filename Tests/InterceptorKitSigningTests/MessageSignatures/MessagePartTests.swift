import Expectations
import InterceptorKit
import InterceptorKitSigning
import TestSupport
import Testing

@Suite("MessagePart")
struct MessagePartTests: ComponentSuite {
    @Test(
        "finds the lines of a field in order, among few fields or many",
        arguments: [0, 28, 29, 99]
    )
    func lines(others: Int) throws {
        let headers = HTTP.Headers(
            [("X-A", "1"), ("x-b", "2"), ("x-a", "a  b"), ("X-C", "(1 2)"), ("X-a", "")]
                + (0..<others).map { ("X-Other-\($0)", "\($0)") }
        )

        try expectEqual(value("x-a", headers), "1, a  b, ")
        try expectEqual(value(.field("x-a").bytes, headers), ":MQ==:, :YSAgYg==:, ::")
        try expectEqual(value(.field("x-c").structured, headers), "(1 2)")
        expectEqual(error { try value("x-d", headers) }?.code, .missingField)
        expectEqual(error { try value(.field("x-d").bytes, headers) }?.code, .missingField)
    }

    @Test("has a field of the trailers only there, once they have come")
    func trailers() async throws {
        let body = HTTP.Body.oneShot(OneChunk("content"))
        let message = SignableMessage.request(.post("https://h.example/", body: body))
        let component = MessageComponent.field("x-sum").inTrailers

        expectEqual(error { try message.value(of: component) }?.code, .missingField)
        _ = try await body.collect()
        try expectEqual(message.value(of: component), "1")
        expectEqual(error { try message.value(of: "x-sum") }?.code, .missingField)
        // What the transport adds stands before the content.
        let host = MessageComponent.field("host")
        try expectEqual(message.value(of: host), "h.example")
        expectEqual(error { try message.value(of: host.inTrailers) }?.code, .missingField)
    }

    @Test("implies no length of a body that has none, or an unknown one")
    func lengths() throws {
        func length(_ body: HTTP.Body) throws -> String {
            let request = HTTP.Request.post("https://h.example/", body: body)
            return try SignableMessage.request(request).value(of: "content-length")
        }

        try expectEqual(length("content"), "7")
        expectEqual(error { try length("") }?.code, .missingField)
        expectEqual(error { try length(.oneShot(OneChunk("content"))) }?.code, .missingField)
        let response = SignableMessage.response(HTTP.Response(200, body: "content"))
        expectEqual(error { try response.value(of: "content-length") }?.code, .missingField)
    }
}
