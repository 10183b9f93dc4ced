import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("ResponseEnvelope")
struct ResponseEnvelopeTests {
    private struct Order: Codable, Sendable, Equatable { var id: Int }

    @Test(
        "accepts a success code that is a number, text or boolean",
        arguments: [#""0""#, "0", "0.0", "true", #""OK""#]
    )
    func success(code: String) throws {
        let envelope = HTTP.ResponseEnvelope(success: [0, true, "OK"])
        let filter = ErrorFilterInterceptor(envelope: envelope)
        let transport = ScriptedTransport<HTTP.Request>(replies: [.json(#"{"code":\#(code)}"#)])

        let status = try Simulation.run { simulation in
            try await simulation.client(transport) { filter }.send(.get(orders)).status
        }

        expectEqual(status, 200)
    }

    @Test("finds code, message and content at paths through objects and arrays")
    func paths() throws {
        let text = #"{"errors":[{"message":"no","extensions":{"code":"E7","left":[1]}}]}"#
        let error = try failure(
            .json(text),
            HTTP.ResponseEnvelope(
                code: "errors.0.extensions.code",
                message: "errors.0.message",
                data: "errors.0.extensions.left"
            )
        )

        expectEqual(error.code, .business)
        expectEqual(error.businessCode, "E7")
        expectEqual(error.serviceMessage, "no")
        expectEqual(error.businessData, .array([.integer(1)]))
        expectTrue(error.description.hasSuffix(#"was answered with 200 OK, code E7: "no"."#))
    }

    @Test("ignores a code that isn't a scalar", arguments: ["null", "[1]", "{}"])
    func noCode(code: String) throws {
        let error = try failure(.json(#"{"code":\#(code)}"#, status: 400), HTTP.ResponseEnvelope())

        expectEqual(error.code, .status)
        expectEqual(error.businessCode, nil)
    }

    @Test("treats a trailing comma outside strings as invalid JSON")
    func commas() throws {
        let texts = [
            #"{"code":1,}"#: "status", #"{"code":[2,],"x":1}"#: "status",
            "{\"code\":1, \n }": "status",
            #"{"code":1,"message":"a,]"}"#: "business",
            #"{"code":"\\","message":",}"}"#: "business",
            #"{"code":"\",}"}"#: "business",
        ]
        for (text, code) in texts {
            let error = try failure(.json(text, status: 400), HTTP.ResponseEnvelope())

            expectEqual(error.code.description, code, "\(text)")
        }
    }

    @Test("keeps long codes and line breaks out of single-line descriptions")
    func hostileCode() throws {
        let long = String(repeating: "x", count: 1000)
        let first = try failure(.json(#"{"code":"a\nb"}"#), HTTP.ResponseEnvelope())
        let second = try failure(.json(#"{"code":"\#(long)"}"#), HTTP.ResponseEnvelope())

        expectEqual(first.businessCode, "a\nb")
        expectTrue(!first.description.contains("\n"))
        expectTrue(second.description.count < 200)
        expectTrue(second.classification.reason.count < 120)
    }

    @Test(
        "decodes the value at its data path",
        arguments: [
            ("data", #"{"code":0,"data":{"id":7}}"#), ("", #"{"id":7}"#),
            ("a.b", #"{"a":{"b":{"id":7}}}"#), ("list.1", #"{"list":[{"x":[]},{"id":7}]}"#),
        ]
    )
    func content(path: String, text: String) async throws {
        let response = HTTP.Response(body: .text(text))

        let order = try await response.decode(Order.self, in: HTTP.ResponseEnvelope(data: path))

        expectEqual(order, Order(id: 7))
    }

    @Test("names the full path of a decoding failure in the response")
    func contentFailures() async {
        func failure(_ text: String, _ path: String) async -> HTTP.DecodingFailure? {
            await #expect(throws: HTTP.DecodingFailure.self) {
                try await HTTP.Response(body: .text(text))
                    .decode(Order.self, in: HTTP.ResponseEnvelope(data: path))
            }
        }

        let missing = await failure(#"{"code":0}"#, "data")
        let wrong = await failure(#"{"data":{"id":"x"}}"#, "data")
        let short = await failure(#"{"list":[1]}"#, "list.3")

        expectEqual(missing?.path, "data")
        expectEqual(missing?.code, .missing)
        expectEqual(wrong?.path, "data.id")
        expectEqual(wrong?.type, "Order")
        expectTrue(short != nil)
    }
}
