import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("HTTP.ResponseDecoder")
struct ResponseDecoderTests {
    private struct Order: Decodable, Sendable, Equatable {
        var id: Int
        var items: [Int] = []

        enum CodingKeys: CodingKey { case id, items }

        init(id: Int) { self.id = id }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            id = try values.decode(Int.self, forKey: .id)
            items = try values.decodeIfPresent([Int].self, forKey: .items) ?? []
        }
    }

    private func json(_ text: String, _ type: String? = "application/json") -> HTTP.Response {
        HTTP.Response(200, headers: type.map { ["Content-Type": $0] } ?? [:], body: .text(text))
    }

    @Test(
        "reads JSON of every JSON media type, and without Content-Type",
        arguments: [
            "application/json", "Application/JSON; charset=utf-8", "application/problem+json",
            "text/json", nil,
        ]
    )
    func mediaTypes(type: String?) async throws {
        let order = try await json(#"{"id":7}"#, type).decode(by: HTTP.ResponseDecoder<Order>.json)

        expectEqual(order, Order(id: 7))
    }

    @Test(
        "refuses other media types, and releases the body",
        arguments: ["text/html", "application/jsonx", "application/json-seq", "json", ""]
    )
    func otherTypes(type: String) async throws {
        let stream = CountingStream(chunks: 100)
        let response = HTTP.Response(
            502,
            headers: ["Content-Type": type],
            body: .oneShot(stream)
        )

        let error = await #expect(throws: HTTP.ContentError.self) {
            try await response.decode(by: HTTP.ResponseDecoder<Order>.json)
        }

        expectEqual(error?.code, .unexpectedMediaType)
        expectTrue(stream.read < 10 && stream.cancels == 1)
    }

    @Test("names the media type it got and those it accepts")
    func typeMessage() async throws {
        let error = await #expect(throws: HTTP.ContentError.self) {
            try await json("<p>", "text/html; x=geheim").decode(
                by: HTTP.ResponseDecoder<Order>.json
            )
        }

        expectEqual(
            error?.message,
            "The response 200 OK is \"text/html\", and Order is read from application/json, text/json, "
                + "+json. An error filter turns error pages into errors."
        )
    }

    @Test("handles an empty body as configured, whatever its media type")
    func empty() async throws {
        let nothing = HTTP.Response(204, headers: ["Content-Type": "text/html"])
        let refused = await #expect(throws: HTTP.ContentError.self) {
            try await nothing.decode(by: HTTP.ResponseDecoder<Order>.json)
        }
        let decoded = await #expect(throws: HTTP.DecodingFailure.self) {
            try await nothing.decode(by: HTTP.ResponseDecoder<Order>.json(whenEmpty: .decoded))
        }
        let value = try await nothing.decode(
            by: HTTP.ResponseDecoder<Order?>.json(whenEmpty: .value(nil))
        )

        expectEqual(refused?.code, .emptyBody)
        expectEqual(decoded?.code, .malformed)
        expectEqual(value, nil)
    }

    @Test(
        "names type and coding path of a failure, never the content",
        arguments: [
            ("{}", "The body cannot be read as Order: id is missing."),
            (
                #"{"id":"geheim"}"#,
                "The body cannot be read as Order: id is a string where Int was expected."
            ),
        ]
    )
    func failure(text: String, message: String) async throws {
        let error = await #expect(throws: HTTP.DecodingFailure.self) {
            try await json(text).decode(by: HTTP.ResponseDecoder<Order>.json)
        }

        expectEqual(error?.description, message)
    }

    @Test(
        "passes every failure to the response's handler",
        arguments: [("{}", "application/json"), ("<p>", "text/html"), ("", "application/json")]
    )
    func listening(text: String, type: String) async throws {
        var response = json(text, type)
        response.onDecodingFailure = { _ in Problem(text: "seen") }
        let heard = response

        await #expect(throws: Problem(text: "seen")) {
            try await heard.decode(by: HTTP.ResponseDecoder<Order>.json)
        }
    }

    @Test("doesn't pass a cancellation to the response's handler")
    func cancelled() async throws {
        var response = HTTP.Response(body: .replayable { Cancelled() })
        response.onDecodingFailure = { _ in Problem(text: "seen") }
        let heard = response

        await #expect(throws: CancellationError.self) {
            try await heard.decode(by: HTTP.ResponseDecoder<Order>.json)
        }
    }

    @Test("rethrows the error of a custom decoder")
    func ownFailure() async throws {
        let own = HTTP.ResponseDecoder<Int>(accepting: []) { _ in throw Problem() }

        await #expect(throws: Problem()) { try await json("a").decode(by: own) }
    }

    @Test("refuses a body above its limit")
    func limit() async throws {
        let body = HTTP.Body.oneShot(CountingStream(chunks: 1000))

        let error = await #expect(throws: HTTP.ContentError.self) {
            try await HTTP.Response(200, body: body)
                .decode(by: HTTP.ResponseDecoder<Order>.json(upTo: 4096))
        }

        expectEqual(error?.code, .tooLarge)
    }

    @Test("reads bytes, text, nothing and the output of a custom decoder")
    func others() async throws {
        let odd = HTTP.ResponseDecoder<Int>(accepting: ["text/*"]) { $0.count }

        try await expectEqual(json("ab", "image/png").decode(by: .data), Data("ab".utf8))
        try await expectEqual(json("", nil).decode(by: .text), "")
        try await expectEqual(json("", nil).decode(by: .data), Data())
        try await expectEqual(json("ab", "text/csv").decode(by: odd), 2)
        try await expectEqual(json("ab").decode(by: .response).status, 200)
        let stream = CountingStream(chunks: 100)
        try await HTTP.Response(200, body: .oneShot(stream)).decode(by: .nothing)
        expectEqual(stream.cancels, 1)
    }

    @Test("configures its decoder for each response")
    func configured() async throws {
        let decoder: HTTP.ResponseDecoder<Date> = .json {
            $0.dateDecodingStrategy = .secondsSince1970
        }

        let date = try await json("7").decode(by: decoder)

        expectEqual(date, Date(timeIntervalSince1970: 7))
    }
}

private struct Cancelled: AsyncSequence, AsyncIteratorProtocol, Sendable {
    func makeAsyncIterator() -> Cancelled { self }

    func next() async throws -> Data? { throw CancellationError() }
}
