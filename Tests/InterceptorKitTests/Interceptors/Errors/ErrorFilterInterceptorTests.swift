import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("ErrorFilterInterceptor")
struct ErrorFilterInterceptorTests {
    private func send(
        _ step: ScriptStep<HTTP.Request>,
        through filter: ErrorFilterInterceptor = ErrorFilterInterceptor(),
        _ url: HTTP.URL = orders
    ) throws -> HTTP.Response {
        try Simulation.run { simulation in
            let client = try simulation.client(ScriptedTransport(replies: [step])) { filter }
            return try await client.send(.get(url))
        }
    }

    @Test("passes accepted statuses through unchanged", arguments: [200, 201, 204, 206, 304])
    func accepted(code: Int) throws {
        try expectEqual(send(.status(HTTP.Status(code))).status.code, code)
    }

    @Test(
        "turns other statuses into an error with request, status and body",
        arguments: [301, 400, 404, 429, 500, 503]
    )
    func statuses(code: Int) throws {
        let error = #expect(throws: ResponseError.self) {
            try send(.status(HTTP.Status(code), headers: ["Retry-After": "7"], body: "sorry"))
        }

        expectEqual(error?.code, .status)
        expectEqual(error?.status.code, code)
        expectEqual(error?.retryAfter, .seconds(7))
        expectEqual(error.map { String(decoding: $0.body, as: UTF8.self) }, "sorry")
        expectEqual(
            error?.description,
            "GET https://api.example.com/orders was answered with \(HTTP.Status(code))."
        )
    }

    @Test(
        "says whether the error has the whole body",
        arguments: [(5, false), (4, true), (0, true)]
    )
    func bodyCut(limit: Int, isCut: Bool) throws {
        let error = #expect(throws: ResponseError.self) {
            try send(.status(500, body: "sorry"), through: ErrorFilterInterceptor(bodyLimit: limit))
        }

        expectEqual(error?.isBodyCut, isCut)
        expectEqual(error?.body.count, limit)
    }

    @Test("turns a business code in a 200 into an error, and keeps a success")
    func envelope() async throws {
        let filter = ErrorFilterInterceptor(envelope: HTTP.ResponseEnvelope())
        let good = #"{"code":0,"data":[1,2]}"#

        let error = #expect(throws: ResponseError.self) {
            try send(.json(#"{"code":1001,"message":"out of stock"}"#), through: filter)
        }
        let response = try send(.json(good), through: filter)

        expectEqual(error?.code, .business)
        expectEqual(error?.status, 200)
        expectEqual(error?.businessCode, "1001")
        expectEqual(error?.serviceMessage, "out of stock")
        try await expectEqual(response.text(), good)
    }

    @Test("recovers from an error with a response, also from a lost connection")
    func recovery() async throws {
        let filter = ErrorFilterInterceptor(recover: { error, request in
            if error is TransportError { return HTTP.Response(200, body: "offline copy") }
            return (error as? ResponseError)?.status == 404 ? HTTP.Response(204) : nil
        })
        let lost = TransportError(.connectionLost, "The connection was lost.")

        try await expectEqual(send(.fail(lost), through: filter).text(), "offline copy")
        try expectEqual(send(.status(404), through: filter).status, 204)
        #expect(throws: ResponseError.self) { try send(.status(500), through: filter) }
    }

    @Test("maps what reading the text of an accepted response throws")
    func text() async throws {
        let filter = ErrorFilterInterceptor(map: { _ in Problem() })
        let response = try send(.status(200, body: "more than a byte"), through: filter)

        await #expect(throws: Problem.self) { try await response.text(upTo: 1) }
    }

    @Test("rethrows cancellation unchanged, without recovery or mapping")
    func cancellation() throws {
        let filter = ErrorFilterInterceptor(
            recover: { _, _ in HTTP.Response(200) },
            map: { _ in Problem() }
        )

        #expect(throws: CancellationError.self) {
            try send(.fail(CancellationError()), through: filter)
        }
    }
}
