import ConformanceVectors
import Expectations
import Foundation
import InterceptorKit
import InterceptorKitForms
import Testing

private typealias Encoder = HTTP.URLEncodedFormEncoder

/// The behaviours of Alamofire's tests of `URLEncodedFormEncoder` and `URLEncodedFormParameterEncoder` (5.12.0).
@Suite("HTTP.URLEncodedFormEncoder, as Alamofire's users know it")
struct FormEncodingConformanceTests {
    /// A behaviour, the text that Alamofire expects, and what gives it here.
    typealias Row = (name: String, expected: String, text: () throws -> String)

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
