import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("ResponseValidationInterceptor")
struct ResponseValidationInterceptorTests {
    private func send(
        _ step: ScriptStep<HTTP.Request>,
        through validation: ResponseValidationInterceptor
    ) throws -> String {
        try Simulation.run { simulation in
            let client = try simulation.client(ScriptedTransport(replies: [step])) { validation }
            return try await client.send(.get(orders)).text()
        }
    }

    private func refusal(
        _ step: ScriptStep<HTTP.Request>,
        through validation: ResponseValidationInterceptor
    ) throws -> ResponseError {
        let error = #expect(throws: ResponseError.self) { try send(step, through: validation) }
        return try unwrap(error)
    }

    @Test("passes an expected response, with its body still readable")
    func passes() throws {
        let text = #"{"data":{"items":[{"id":1}]}}"#
        let validation = ResponseValidationInterceptor(
            contentTypes: ["text/plain", "Application/JSON"],
            fields: ["etag"],
            members: ["data.items", "data.items.0.id"]
        ) { response, content in
            guard response.status == 200, content != nil else { throw Problem() }
        }
        let headers: HTTP.Headers = ["ETag": "\"1\"", "Content-Type": "application/json; a=b"]

        try expectEqual(send(.json(text, headers: headers), through: validation), text)
    }

    @Test("names what is wrong with an unexpected response")
    func flaws() throws {
        let rows: [(ResponseValidationInterceptor, ResponseError.Code, String)] = [
            (
                .init(contentTypes: ["text/*", "image/png"]), .contentType,
                #"with "application/json" where text/* or image/png was expected"#
            ),
            (.init(fields: ["ETag"]), .missingField, "without the field ETag"),
            (.init(members: ["a", "b.c"]), .missingMember, "without b.c in its content"),
            (.init(members: ["n"]), .missingMember, "without n in its content"),
            (
                .init(members: ["a"], bodyLimit: 4), .malformed,
                "with more content than is inspected"
            ),
        ]

        for (validation, code, flaw) in rows {
            let error = try refusal(.json(#"{"a":1,"b":{},"n":null}"#), through: validation)

            expectEqual(error.code, code)
            expectEqual(
                error.description,
                "GET https://api.example.com/orders was answered with 200 OK, \(flaw)."
            )
            expectEqual(error.classification.kind, .permanent)
            expectTrue(FailurePattern.unexpectedResponse.matches(error))
        }
    }

    @Test("refuses a body without media type, or invalid JSON for members")
    func unreadable() throws {
        let untyped = try refusal(.status(200, body: "x"), through: .init(contentTypes: ["text/*"]))
        let broken = try refusal(.json(#"{"a":"#), through: .init(members: ["a"]))

        expectEqual(untyped.code, .contentType)
        expectEqual(broken.code, .malformed)
        expectEqual(broken.body.count, 5)
        expectTrue(broken.description.hasSuffix("with content that isn't valid JSON."))
    }

    @Test("expects neither media type nor members of an empty body")
    func noContent() throws {
        let validation = ResponseValidationInterceptor(contentTypes: ["text/*"], members: ["a"])

        try expectTrue(send(.status(204), through: validation).isEmpty)
        try expectTrue(send(.status(200), through: validation).isEmpty)
        #expect(throws: ResponseError.self) {
            try send(.status(204), through: .init(fields: ["ETag"]))
        }
    }

    @Test("leaves other statuses to the error filter, unless statuses are given")
    func statuses() throws {
        let untold = ResponseValidationInterceptor(contentTypes: ["text/*"])
        let told = ResponseValidationInterceptor(statuses: 200...200)

        try expectEqual(send(.json("{}", status: 404), through: untold), "{}")
        try expectEqual(refusal(.json("{}", status: 404), through: told).code, .status)
        try expectEqual(refusal(.status(201), through: told).status, 201)
        try expectTrue(send(.status(200), through: told).isEmpty)
    }

    @Test("rethrows the error of a custom check, and releases the body")
    func check() throws {
        let stream = CountingStream(chunks: 1 << 20)
        let validation = ResponseValidationInterceptor { _, content in
            expectEqual(content, nil)
            throw Problem(text: "no shape of mine")
        }

        #expect(throws: Problem(text: "no shape of mine")) {
            try send(.status(200, body: .oneShot(stream)), through: validation)
        }

        expectTrue(stream.cancels >= 1)
        expectTrue(stream.read <= (1 << 10) + 6)
    }

    @Test("doesn't wait for an endless slow body")
    func trickle() throws {
        let elapsed = try Simulation.run { simulation in
            let runtime = simulation.runtime
            let transport = ScriptedTransport<HTTP.Request>(
                replies: [.status(200, body: .oneShot(DrippingStream(runtime)))]
            )
            let client = try simulation.client(transport) {
                ResponseValidationInterceptor(members: ["a"])
            }
            let error = await #expect(throws: TransportError.self) {
                try await client.send(.get(orders))
            }
            expectEqual(error?.code, .timedOut)
            return runtime.now.offset
        }

        expectTrue(elapsed <= .seconds(11))
    }

    @Test(
        "refuses a content type that no response can have",
        arguments: ["", "json", "app*", "application/", "*/json", "text/a*", "a/b/c", "+", "/json"]
    )
    func impossible(type: String) throws {
        let possible = [
            "application/json", "text/*", "*/*", "+json", "Application/Problem+JSON; charset=utf-8",
        ]

        #expect(throws: SettingError.self) {
            try ResponseValidationInterceptor(contentTypes: possible + [type]).validate()
        }
        try ResponseValidationInterceptor(contentTypes: possible).validate()
    }
}
