import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("ResponseError")
struct ResponseErrorTests {
    private func send(_ step: ScriptStep<HTTP.Request>, _ url: HTTP.URL = orders) throws {
        try Simulation.run { simulation in
            let client = try simulation.client(ScriptedTransport(replies: [step])) {
                ErrorFilterInterceptor()
            }
            _ = try await client.send(.get(url))
        }
    }

    @Test("matches a pattern by all that is true of it, not by its code alone")
    func patterns() throws {
        let problem: HTTP.Headers = ["Content-Type": "application/problem+json"]
        let rows: [(ScriptStep<HTTP.Request>, [Bool])] = [
            (.status(404), [true, false, false, true]),
            (.json(#"{"title":"No"}"#, status: 404, headers: problem), [true, true, false, true]),
            (.json(#"{"code":7}"#, status: 404), [true, false, true, true]),
            (.json(#"{"code":7}"#, status: 404, headers: problem), [true, true, true, true]),
            (.json(#"{"code":7}"#), [false, false, true, false]),
        ]

        for (reply, truths) in rows {
            let error: any Error = try failure(reply, HTTP.ResponseEnvelope())

            let matched = [
                ResponseError.Code.status ~= error, ResponseError.Code.problem ~= error,
                ResponseError.Code.business ~= error, FailurePattern.status(404) ~= error,
            ]
            expectEqual(matched, truths)
        }
    }

    @Test("reads problem details, ignoring members of the wrong type")
    func problemDetails() throws {
        let text = #"""
            {"type":"https://example.com/out-of-credit","title":"Not enough credit","status":403,
             "detail":"Your balance is 30.","instance":7,"balance":30}
            """#
        let error = #expect(throws: ResponseError.self) {
            try send(
                .json(
                    text,
                    status: 403,
                    headers: ["Content-Type": "application/problem+json; charset=utf-8"]
                )
            )
        }

        expectEqual(error?.code, .problem)
        expectEqual(error?.problem?.type, "https://example.com/out-of-credit")
        expectEqual(error?.problem?.title, "Not enough credit")
        expectEqual(error?.problem?.status, 403)
        expectEqual(error?.problem?.instance, nil)
        expectEqual(error?.problem?.extensions, ["balance": .integer(30)])
        expectEqual(error?.serviceMessage, "Your balance is 30.")
    }

    @Test("carries the history of attempts")
    func history() throws {
        let error = #expect(throws: ResponseError.self) {
            try Simulation.run { simulation in
                let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(503) }
                let client = try simulation.client(transport) {
                    ErrorFilterInterceptor()
                    RetryInterceptor(policy: .steady)
                }
                return try await client.send(.get(orders)).status
            }
        }

        expectEqual(error?.attempts.count, 3)
        expectEqual(error?.description.contains("attempt 2: 503 Service Unavailable"), true)
    }

    @Test("reports the request as it was sent, with its secrets hidden")
    func requestAsSent() throws {
        let error = #expect(throws: ResponseError.self) {
            try send(
                .status(500, headers: ["Set-Cookie": "id=s3cret"]),
                "https://api.example.com/a?token=s3cret&b=1"
            )
        }
        var dumped = ""
        dump(error, to: &dumped)

        expectEqual(error?.request?.url.text, "https://api.example.com/a?token=s3cret&b=1")
        expectEqual(error?.description.contains("/a?token=██&b=1"), true)
        expectTrue(!dumped.contains("s3cret"))
    }

    @Test("hides passwords and tokens of a URL in every error that it makes")
    func secrets() throws {
        let request = HTTP.Request(
            .get,
            "https://user:s3cret@api.example.com/a?access_token=s3cret&sig=s3cret"
        )
        let headers: HTTP.Headers = ["Authorization": "s3cret", "Set-Cookie": "id=s3cret"]
        let response = HTTP.Response(500, headers: headers, body: "s3cret", request: request)

        let error = try failure(.reply(response))
        var dumped = ""
        dump(error, to: &dumped)

        expectTrue(!"\(error)\(dumped)\(error.classification)".contains("s3cret"))
    }
}
