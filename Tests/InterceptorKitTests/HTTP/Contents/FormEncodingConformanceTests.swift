import ConformanceVectors
import Expectations
import Foundation
import InterceptorKit
import Testing

private typealias Encoder = HTTP.URLEncodedFormEncoder

/// The behaviours of Alamofire's tests of `URLEncodedFormEncoder` and `URLEncodedFormParameterEncoder` (5.12.0).
@Suite("HTTP.URLEncodedFormEncoder, as Alamofire's users know it")
struct FormEncodingConformanceTests {
    /// A behaviour, the text that Alamofire expects, and what gives it here.
    private typealias Row = (name: String, expected: String, text: () throws -> String)

    /// The rows where the text is another one on purpose, and that text.
    private let departures = [
        // Alamofire sorts the elements of an array too, although their order may mean something.
        "containers within containers":
            "root[][]=1&root[][]=2&root[][]=3&root[][a][string]=string&root[][][]=1&root[][][]=2&root[][][]=3",
        // A whole number has no fraction, because a server may expect an integer.
        "dates in milliseconds": "date=978307323456",
        // All but unreserved characters are escaped, as signatures need it. Every server reads both.
        "question marks": "%3Ffoo%3F=%3Fbar%3F",
        "slashes": "foo=%2Fbar%2Fbaz%2Fqux",
    ]

    @Test("writes what Alamofire writes")
    func rows() {
        var conformance = Conformance("form-encoding")
        var seen: Set<String> = []
        for row in scalars + nesting + lists + texts + keysAndNil + escapes + requests {
            let text = (try? row.text()) ?? "error"
            seen.insert(row.name)
            if let own = departures[row.name] {
                conformance.skip()
                expectEqual(text, escaped(own), "\(row.name)")
            } else {
                conformance.note(text == escaped(row.expected), "\(row.name): \(text)")
            }
        }

        print(conformance.summary)
        expectEqual(conformance.failures, [])
        expectEqual(seen.count, conformance.passed + conformance.skipped)
        expectEqual(seen.count, 78)
    }

    // The rows have brackets as they are, to be readable.
    private func escaped(_ text: String) -> String {
        text.replacing("[", with: "%5B").replacing("]", with: "%5D")
    }

    private var scalars: [Row] {
        [
            ("a dictionary", "a=a", { try form(["a": "a"]) }),
            ("Decimal", "a=1", { try form(["a": Decimal(1)]) }),
            ("a precise Decimal", "a=1.123456", { try form(["a": Decimal(string: "1.123456")]) }),
            ("Double", "a=1.0", { try form(["a": 1.0]) }),
            ("Float", "a=1.0", { try form(["a": Float(1)]) }),
            ("Int8", "a=1", { try form(["a": Int8(1)]) }),
            ("Int16", "a=1", { try form(["a": Int16(1)]) }),
            ("Int32", "a=1", { try form(["a": Int32(1)]) }),
            ("Int64", "a=1", { try form(["a": Int64(1)]) }),
            ("UInt", "a=1", { try form(["a": UInt(1)]) }),
            ("UInt8", "a=1", { try form(["a": UInt8(1)]) }),
            ("UInt16", "a=1", { try form(["a": UInt16(1)]) }),
            ("UInt32", "a=1", { try form(["a": UInt32(1)]) }),
            ("UInt64", "a=1", { try form(["a": UInt64(1)]) }),
        ]
    }

    private var nesting: [Row] {
        let nested = ["a": ["b": "b"]]
        return [
            ("brackets by default", "a[b]=b", { try form(nested) }),
            ("brackets", "a[b]=b", { try form(nested, Encoder(keyPathEncoding: .brackets)) }),
            ("dots", "a.b=b", { try form(nested, Encoder(keyPathEncoding: .dots)) }),
            (
                "paths of one's own", "a-b=b",
                { try form(nested, Encoder(keyPathEncoding: .custom { "-\($0)" })) }
            ),
            (
                "a struct",
                "five[a]=a&four[]=1&four[]=2&four[]=3&one=one&seven[a]=a&six[a][b]=b&three=1&two=2",
                { try form(Value()) }
            ),
            (
                "containers within containers",
                "root[][][]=1&root[][][]=2&root[][][]=3&root[][]=1&root[][]=2&root[][]=3&root[][a][string]=string",
                { try form(NestedContainers()) }
            ),
            ("a class", "one=one&three=1&two=2", { try form(Superclass()) }),
            (
                "a subclass",
                "five[a]=a&five[b]=b&four[]=1&four[]=2&four[]=3&one=one&three=1&two=2",
                { try form(Subclass()) }
            ),
            (
                "a struct, not sorted",
                "one=one&two=2&three=1&four[]=1&four[]=2&four[]=3&five[a]=a&six[a][b]=b&seven[a]=a",
                { try form(Value(), Encoder(alphabetizeKeyValuePairs: false)) }
            ),
            (
                "a subclass with containers of its superclass",
                "five[a]=a&five[b]=b&four[five]=2&four[four]=one", { try form(SuperEncoders()) }
            ),
            ("no array at the top", "error", { try form([1]) }),
            ("no value at the top", "error", { try form("string") }),
        ]
    }

    private var lists: [Row] {
        let indexed = Encoder(arrayEncoding: .indexInBrackets)
        return [
            (
                "objects with an index", "foo[0][one]=one&foo[0][three]=1&foo[0][two]=2",
                { try form(["foo": [Superclass()]], indexed) }
            ),
            (
                "a subclass with an index",
                "five[a]=a&five[b]=b&four[0]=1&four[1]=2&four[2]=3&one=one&three=1&two=2",
                { try form(Subclass(), indexed) }
            ),
            (
                "containers of a superclass with an index",
                "five[a]=a&five[b]=b&four[five]=2&four[four]=one",
                { try form(SuperEncoders(), indexed) }
            ),
            (
                "a struct with an index",
                "five[a]=a&four[0]=1&four[1]=2&four[2]=3&one=one&seven[a]=a&six[a][b]=b&three=1&two=2",
                { try form(Value(), indexed) }
            ),
            (
                "containers within containers with an index",
                "root[0][0]=1&root[0][1]=2&root[0][2]=3&root[1][a][string]=string"
                    + "&root[2][0][0]=1&root[2][0][1]=2&root[2][0][2]=3",
                { try form(NestedContainers(), indexed) }
            ),
            (
                "integers in objects with an index", "foo[0][bar]=2&foo[1][qux]=3&foo[2][quy]=4",
                { try form(["foo": [["bar": 2], ["qux": 3], ["quy": 4]]], indexed) }
            ),
            (
                "texts in objects with an index", "foo[0][bar]=2&foo[1][qux]=3&foo[2][quy]=4",
                { try form(["foo": [["bar": "2"], ["qux": "3"], ["quy": "4"]]], indexed) }
            ),
            (
                "booleans in objects with an index", "foo[0][bar]=1&foo[1][qux]=0&foo[2][quy]=1",
                { try form(["foo": [["bar": true], ["qux": false], ["quy": true]]], indexed) }
            ),
            (
                "no brackets", "array=1&array=2",
                { try form(["array": [1, 2]], Encoder(arrayEncoding: .noBrackets)) }
            ),
            (
                "arrays of one's own", "array.1=1&array.2=2",
                {
                    try form(
                        ["array": [1, 2]],
                        Encoder(arrayEncoding: .custom { "\($0).\($1 + 1)" })
                    )
                }
            ),
        ]
    }

    private var texts: [Row] {
        let date = ["date": Date(timeIntervalSinceReferenceDate: 123.456)]
        func dated(_ encoding: Encoder.DateEncoding) throws -> String {
            try form(date, Encoder(dateEncoding: encoding))
        }
        struct Problem: Error {}
        let data = ["data": Data("data".utf8)]
        return [
            (
                "booleans", "bool=true",
                { try form(["bool": true], Encoder(boolEncoding: .literal)) }
            ),
            ("Data", "data=ZGF0YQ%3D%3D", { try form(data) }),
            (
                "an error of a closure for Data", "Problem",
                { try cause(data, Encoder(dataEncoding: .custom { _ in throw Problem() })) }
            ),
            ("dates", "date=123.456", { try dated(.deferredToDate) }),
            ("dates in seconds", "date=978307323.456", { try dated(.secondsSince1970) }),
            ("dates in milliseconds", "date=978307323456.0", { try dated(.millisecondsSince1970) }),
            ("dates by ISO 8601", "date=2001-01-01T00%3A02%3A03Z", { try dated(.iso8601) }),
            (
                "dates of a formatter", "date=2001-01-01%2000%3A02%3A03.4560",
                { try dated(.custom { Self.formatter.string(from: $0) }) }
            ),
            (
                "dates of one's own", "date=123.456",
                { try dated(.custom { "\($0.timeIntervalSinceReferenceDate)" }) }
            ),
            (
                "an error of a closure for dates", "Problem",
                { try cause(date, Encoder(dateEncoding: .custom { _ in throw Problem() })) }
            ),
        ]
    }

    private static var formatter: DateFormatter {
        let formatter = DateFormatter()
        formatter.dateFormat = "yyyy-MM-dd HH:mm:ss.SSSS"
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.calendar = Calendar(identifier: .gregorian)
        return formatter
    }

    private var keysAndNil: [Row] {
        let keys: [(String, Encoder.KeyEncoding)] = [
            ("one_two_three", .convertToSnakeCase), ("one-two-three", .convertToKebabCase),
            ("OneTwoThree", .capitalized), ("onetwothree", .lowercased),
            ("ONETWOTHREE", .uppercased), ("A", .custom { _ in "A" }),
        ]
        let dictionary: [String: String?] = ["a": nil]
        let nils: [(String, String, String, Encoder)] = [
            ("nil by default", "", "one=one", Encoder()),
            ("nil as null", "a=null", "one=one&two=null", Encoder(nilEncoding: .null)),
            ("nil without its key", "", "one=one", Encoder(nilEncoding: .dropKey)),
            ("nil without its value", "a=", "one=one&two=", Encoder(nilEncoding: .dropValue)),
        ]
        return keys.map { name, encoding in
            (
                "the key \(name)", "\(name)=oneTwoThree",
                { try form(["oneTwoThree": "oneTwoThree"], Encoder(keyEncoding: encoding)) }
            )
        }
            + nils.flatMap { name, first, second, encoder -> [Row] in
                [
                    (name, first, { try form(dictionary, encoder) }),
                    ("\(name) in a struct", second, { try form(OptionalValue(), encoder) }),
                ]
            }
    }

    private var escapes: [Row] {
        let reserved = ":#[]@!$&'()*+,;="
        let alphabet = ["lowercase": "abcdefghijklmnopqrstuvwxyz", "numbers": "0123456789"]
        let languages = [
            "french": "français", "japanese": "日本語", "arabic": "العربية", "emoji": "😃",
        ]
        let chinese = String(repeating: "一二三四五六七八九十", count: 2000)
        return [
            (
                "spaces as plus signs", "spaces=replace+with+spaces",
                {
                    try form(
                        ["spaces": "replace with spaces"],
                        Encoder(spaceEncoding: .plusReplaced)
                    )
                }
            ),
            ("more characters escaped", "allowed=%3F%2F", { try form(["allowed": "?/"]) }),
            (
                "unreserved characters",
                "lowercase=abcdefghijklmnopqrstuvwxyz&numbers=0123456789", { try form(alphabet) }
            ),
            (
                "reserved characters",
                "reserved=%3A%23%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D",
                { try form(["reserved": reserved]) }
            ),
            (
                "illegal characters", "illegal=%20%22%23%25%3C%3E%5B%5D%5C%5E%60%7B%7D%7C",
                { try form(["illegal": " \"#%<>[]\\^`{}|"]) }
            ),
            (
                "ampersands", "foo%26bar=baz%26qux&foobar=bazqux",
                { try form(["foo&bar": "baz&qux", "foobar": "bazqux"]) }
            ),
            ("question marks", "?foo?=?bar?", { try form(["?foo?": "?bar?"]) }),
            ("slashes", "foo=/bar/baz/qux", { try form(["foo": "/bar/baz/qux"]) }),
            ("spaces", "%20foo%20=%20bar%20", { try form([" foo ": " bar "]) }),
            ("plus signs", "%2Bfoo%2B=%2Bbar%2B", { try form(["+foo+": "+bar+"]) }),
            ("percent signs", "percent%25=%2525", { try form(["percent%": "%25"]) }),
            (
                "other scripts",
                "arabic=%D8%A7%D9%84%D8%B9%D8%B1%D8%A8%D9%8A%D8%A9&emoji=%F0%9F%98%83&french=fran%C3%A7ais"
                    + "&japanese=%E6%97%A5%E6%9C%AC%E8%AA%9E",
                { try form(languages) }
            ),
            (
                "thousands of characters",
                "chinese="
                    + String(
                        repeating:
                            "%E4%B8%80%E4%BA%8C%E4%B8%89%E5%9B%9B%E4%BA%94%E5%85%AD%E4%B8%83%E5%85%AB"
                            + "%E4%B9%9D%E5%8D%81",
                        count: 2000
                    ),
                { try form(["chinese": chinese]) }
            ),
        ]
    }

    private var requests: [Row] {
        let value = ["property": "property"]
        func sent(_ headers: HTTP.Headers) throws -> String {
            let request = HTTP.Request.post("/o", headers: headers)
            let form = try request.form(Encoder().encode(value), charset: .utf8)
            let body = String(decoding: form.body.inMemory ?? Data(), as: UTF8.self)
            return "\(form.headers["Content-Type"] ?? "") \(body)"
        }
        return [
            (
                "a form with its type",
                "application/x-www-form-urlencoded; charset=utf-8 property=property",
                { try sent([:]) }
            ),
            (
                "a form with another type", "type property=property",
                { try sent(["Content-Type": "type"]) }
            ),
            (
                "a query by options", "bool=true",
                {
                    let encoder = Encoder(boolEncoding: .literal)
                    return try HTTP.Request.get("/o", query: ["bool": true], by: encoder).url.query
                        ?? "none"
                }
            ),
            (
                "a query of a POST", "property=property",
                {
                    try HTTP.Request(.post, "/o", query: Encoder().encode(value)).url.query
                        ?? "none"
                }
            ),
            (
                "no query of nothing", "none",
                {
                    try HTTP.Request.get("/o", query: [String: Int](), by: Encoder()).url.query
                        ?? "none"
                }
            ),
        ]
    }
}

private func form(_ value: some Encodable, _ encoder: Encoder = Encoder()) throws -> String {
    let body = HTTP.Body.form(try encoder.encode(value))
    return String(decoding: body.inMemory ?? Data(), as: UTF8.self)
}

private func cause(_ value: some Encodable, _ encoder: Encoder) throws -> String {
    do {
        return try form(value, encoder)
    } catch let error as HTTP.ContentError {
        return error.cause.map { "\(type(of: $0))" } ?? "none"
    }
}

private struct Value: Encodable {
    struct Inner: Encodable { var a = "a" }

    var one = "one"
    var two = 2
    var three = true
    var four = [1, 2, 3]
    var five = ["a": "a"]
    var six = ["a": ["b": "b"]]
    var seven = Inner()
}

private struct OptionalValue: Encodable {
    var one = "one"
    var two: String?
}

private class Superclass: Encodable {
    let one = "one"
    let two = 2
    let three = true

    init() {}
}

private enum Key: CodingKey { case four, five, root, a }

private final class Subclass: Superclass {
    override func encode(to encoder: any Swift.Encoder) throws {
        try super.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encode([1, 2, 3], forKey: .four)
        try container.encode(["a": "a", "b": "b"], forKey: .five)
    }
}

private struct SuperEncoders: Encodable {
    func encode(to encoder: any Swift.Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode([1, 2, 3], forKey: .four)
        try container.encode(["a": "a", "b": "b"], forKey: .five)
        var first = container.superEncoder().container(keyedBy: Key.self)
        try first.encode("one", forKey: .four)
        var second = container.superEncoder(forKey: .four).container(keyedBy: Key.self)
        try second.encode(2, forKey: .five)
        var list = container.nestedUnkeyedContainer(forKey: .four)
        var third = list.superEncoder().container(keyedBy: Key.self)
        try third.encode("one", forKey: .four)
    }
}

private struct NestedContainers: Encodable {
    func encode(to encoder: any Swift.Encoder) throws {
        let a = ["string": "string"]
        let b = [1, 2, 3]
        var container = encoder.container(keyedBy: Key.self)
        var object = container.nestedContainer(keyedBy: Key.self, forKey: .root)
        try object.encode(a, forKey: .a)
        var list = container.nestedUnkeyedContainer(forKey: .root)
        try list.encode(b)
        var inner = list.nestedContainer(keyedBy: Key.self)
        try inner.encode(a, forKey: .a)
        var innermost = list.nestedUnkeyedContainer()
        try innermost.encode(b)
    }
}
