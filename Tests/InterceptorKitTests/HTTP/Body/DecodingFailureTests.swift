import Expectations
import Foundation
import InterceptorKit
import TestSupport
import Testing

@Suite("HTTP.DecodingFailure")
struct DecodingFailureTests {
    private struct Order: Decodable {
        struct Item: Decodable { var price: Double }

        var id: Int
        var items: [Item]
        var due: Date?
        var state: State?

        enum State: String, Decodable { case open }
    }

    private func failure(_ text: String) async throws -> HTTP.DecodingFailure {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let error = await #expect(throws: HTTP.DecodingFailure.self) {
            try await HTTP.Response(body: .text(text)).decode(Order.self, using: decoder)
        }
        return try unwrap(error)
    }

    @Test("names types as they are written in Swift")
    func written() async throws {
        let error = await #expect(throws: HTTP.DecodingFailure.self) {
            try await HTTP.Response(body: "7").decode([String: [Order.Item?]].self)
        }

        expectEqual(error?.type, "[String: [Item?]]")
        expectEqual(error?.expected, "an object")
        expectEqual(error?.found, "a number")
    }

    @Test("says where and why decoding failed, and never shows the value")
    func reasons() async throws {
        let nowhere = "it isn't valid JSON, ends early, or holds a value that is not accepted"
        let rows: [(String, HTTP.DecodingFailure.Code, path: String, reason: String)] = [
            (#"{"items":[]}"#, .missing, "id", "id is missing"),
            (
                #"{"id":1,"items":[{"price":1},{"price":"s3cret"}]}"#, .mismatch, "items[1].price",
                "items[1].price is a string where Double was expected"
            ),
            ("[]", .mismatch, "", "it is an array where an object was expected"),
            (
                #"{"id":true,"items":[]}"#, .mismatch, "id",
                "id is a Boolean where Int was expected"
            ),
            (
                #"{"id":1,"items":{}}"#, .mismatch, "items",
                "items is an object where an array was expected"
            ),
            (
                #"{"id":1,"items":[{"price":null}]}"#, .null, "items[0].price",
                "items[0].price is null where Double was expected"
            ),
            (
                #"{"id":1,"items":[],"state":"s3cret"}"#, .invalid, "state",
                "state has a value that is not accepted"
            ),
            (#"{"id":1,"items":["#, .malformed, "", nowhere), ("", .malformed, "", nowhere),
            (#"{"id":1,"items":[],"due":"s3cret"}"#, .malformed, "", nowhere),
        ]

        for (text, code, path, reason) in rows {
            let failure = try await failure(text)
            var dumped = ""
            dump(failure, to: &dumped)

            expectEqual(failure.code, code)
            expectEqual(failure.path, path)
            expectEqual(failure.type, "Order")
            expectEqual("\(failure)", "The body cannot be read as Order: \(reason).")
            expectTrue(!dumped.contains("s3cret"))
        }
    }

    @Test("escapes names that came from the server")
    func names() throws {
        let error = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([String: Int].self, from: Data(#"{"a\nb":"x"}"#.utf8))
        }

        let failure = HTTP.DecodingFailure(try unwrap(error), decoding: [String: Int].self)

        expectEqual(failure.path, #""a\nb""#)
        expectEqual(failure.classification.kind, .permanent)
    }
}
