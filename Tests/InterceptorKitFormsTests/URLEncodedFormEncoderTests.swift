import ConformanceVectors
import Expectations
import Foundation
import InterceptorKit
import InterceptorKitForms
import InterceptorKitTesting
import TestSupport
import Testing

private typealias Encoder = HTTP.URLEncodedFormEncoder

@Suite("HTTP.URLEncodedFormEncoder")
struct URLEncodedFormEncoderTests {
    private struct Search: Encodable {
        var text = "green tea"
        var tags = ["z", "a"]
        var limit: Int? = 7
        var after: Int?
        var huge = Int128(1)
        var page = URL(string: "https://example.com/a?b")
        var sizes: [Int?] = [1, nil, 3]
        var counts: [String: Int?] = ["b": 2, "a": nil, "c": 4]
    }

    @Test("writes a value as a query, and each kind of value as text")
    func query() throws {
        let request = try HTTP.Request.get(
            "/search?v=1#top",
            query: Search(),
            by: Encoder(alphabetizeKeyValuePairs: false, arrayEncoding: .dots)
        )
        let counts = request.url.queryParameters.filter { $0.name.hasPrefix("counts") }

        expectTrue(
            request.url.text.hasPrefix(
                "/search?v=1&text=green%20tea&tags.0=z&tags.1=a&limit=7&huge=1"
                    + "&page=https%3A%2F%2Fexample.com%2Fa%3Fb&sizes.0=1&sizes.1=3&counts"
            )
        )
        expectEqual(Set(counts.map(\.value)), ["2", "4"])
        expectTrue(request.url.text.hasSuffix("#top"))
    }

    @Test("writes a value as a form, also one of an endpoint")
    func form() async throws {
        let request = try HTTP.Request.post("/o").form(["b": [2, 1], "a": []], by: Encoder())
        let endpoint = HTTP.Endpoint<Void>(
            .post,
            "/o",
            sending: ["x": true],
            by: .form(Encoder(boolEncoding: .literal)),
            decoder: .nothing
        )
        let sent = try await endpoint.request()

        expectEqual(request.headers["Content-Type"], "application/x-www-form-urlencoded")
        expectEqual(request.body.inMemory, Data("b%5B%5D=2&b%5B%5D=1".utf8))
        expectEqual(sent.headers["Content-Type"], "application/x-www-form-urlencoded")
        expectEqual(sent.body.inMemory, Data("x=true".utf8))
    }

    @Test("leaves literals of names and values as they are")
    func literals() {
        expectEqual(
            HTTP.Request.get("/o", query: ["b": "1", "a": "2", "b": "3"]).url,
            "/o?b=1&a=2&b=3"
        )
        expectEqual(HTTP.Request.post("/o").form(["b": "1", "b": "3"]).body.length, 7)
    }

    @Test("spells keys as JSONEncoder does")
    func keys() throws {
        let own = Encoder(keyEncoding: .convertToSnakeCase)
        let json = JSONEncoder()
        json.keyEncodingStrategy = .convertToSnakeCase
        var random = SeededGenerator(seed: 7)
        for _ in 0..<2000 {
            let letters = (0..<Int.random(in: 1...9, using: &random)).compactMap { _ in
                "abcABC12éÉß_-".randomElement(using: &random)
            }
            let key = String(letters)

            let name = try own.encode(Keyed(key: key))[0].name

            let object = try JSONDecoder().decode(
                [String: Int].self,
                from: json.encode(Keyed(key: key))
            )
            expectEqual(name, object.keys.first ?? "")
        }
    }

    @Test("orders keys as the type names them, not as they are spelled")
    func sameSpelling() throws {
        let encoder = Encoder(keyEncoding: .lowercased)

        let values = try encoder.encode(["A": 1, "a": 2, "Aa": 3, "aA": 4]).map(\.value)

        expectEqual(values, ["1", "3", "2", "4"])
    }

    @Test("says what cannot be encoded, and shows no value")
    func failures() throws {
        let date = Date(timeIntervalSince1970: 1e18)

        let nameless = #expect(throws: HTTP.ContentError.self) { try Encoder().encode([1]) }
        let undated = #expect(throws: HTTP.ContentError.self) {
            try Encoder(dateEncoding: .iso8601).encode(["a": ["b": [date]]])
        }
        let deep = #expect(throws: HTTP.ContentError.self) {
            try Encoder().encode(Deep(depth: 100_000))
        }

        expectTrue([nameless, undated, deep].allSatisfy { $0?.code == .cannotEncode })
        expectTrue(nameless?.message.contains("Array<Int> has no names") == true)
        expectTrue(undated?.message.contains("at \"a.b.0\"") == true)
        expectTrue(deep?.cause is EncodingError)
        expectEqual(try Encoder().encode(Deep(depth: 511)).count, 1)
    }

    @Test("writes any number as text", arguments: [Double.nan, .infinity, 1e300, -0.5])
    func numbers(number: Double) throws {
        for encoding in [Encoder.DateEncoding.secondsSince1970, .millisecondsSince1970] {
            let encoder = Encoder(dateEncoding: encoding)
            expectEqual(try encoder.encode(["a": Date(timeIntervalSince1970: number)]).count, 1)
        }
        expectEqual(try Encoder().encode(["a": number])[0].value, "\(number)")
    }

    @Test("writes a form in a charset, which its media type names")
    func charset() throws {
        let request = try HTTP.Request.post("/o").form(
            ["n ": "é=日".dropLast().description],
            charset: .isoLatin1
        )
        let western = try HTTP.Request.post("/o").form(["n": "€"], charset: .windowsCP1252)

        expectEqual(
            request.headers["Content-Type"],
            "application/x-www-form-urlencoded; charset=iso-8859-1"
        )
        expectEqual(request.body.inMemory, Data("n%20=%E9%3D".utf8))
        expectEqual(western.body.inMemory, Data("n=%80".utf8))
        for charset in [String.Encoding.isoLatin1, .ascii, .utf16, .init(rawValue: 99)] {
            let error = #expect(throws: HTTP.ContentError.self) {
                try HTTP.Request.post("/o").form(["n": "日"], charset: charset)
            }
            expectEqual(error?.code, .cannotEncode)
        }
    }
}

private struct Keyed: Encodable {
    struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    let key: String

    func encode(to encoder: any Swift.Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(1, forKey: Key(stringValue: key))
    }
}

private struct Deep: Encodable {
    enum Key: CodingKey { case a }

    let depth: Int

    func encode(to encoder: any Swift.Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        if depth == 0 {
            try container.encode(1, forKey: .a)
        } else {
            try container.encode(Deep(depth: depth - 1), forKey: .a)
        }
    }
}
