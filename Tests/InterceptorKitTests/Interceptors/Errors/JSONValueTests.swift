import Expectations
import InterceptorKit
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("JSONValue")
struct JSONValueTests {
    private let text =
        #"{"a":[1,2.5,{"b":true}],"c":null,"d":"x","e":9223372036854775808,"f":-0.5}"#

    private func value() throws -> JSONValue {
        try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    }

    @Test("reads every kind of value, whole numbers as integers")
    func kinds() throws {
        let value = try value()

        expectEqual(
            value,
            .object([
                "a": .array([.integer(1), .number(2.5), .object(["b": .bool(true)])]),
                "c": .null, "d": .string("x"), "e": .number(9_223_372_036_854_775_808),
                "f": .number(-0.5),
            ])
        )
    }

    @Test(
        "finds values by member names and indices, and shows scalars as text",
        arguments: [
            ("a.0", "1"), ("a.1", "2.5"), ("a.2.b", "true"), ("d", "x"), ("f", "-0.5"), ("c", nil),
            ("a", nil), ("a.3", nil), ("a.-1", nil), ("a.b", nil), ("d.x", nil), ("none", nil),
        ] as [(String, String?)]
    )
    func paths(path: String, text: String?) throws {
        try expectEqual(value().value(at: path)?.text, text)
    }

    @Test("reads exactly what every reader reads alike")
    func exact() throws {
        let same = [text, "{}", "[]", #""\ud83d\ude00""#, #"{"a":{"a":{"a":1}}}"#, "[[[[]]]]"]
        for text in same {
            let data = Data(text.utf8)
            try expectEqual(unwrap(JSONValue(exactly: data, depth: 4)), JSONValue(parsing: data))
        }
        let ambiguous = [
            #"{"a":1,"a":1}"#, #"{"a":1,"\u0061":1}"#, #"[{"b":{"a":null,"a":null}}]"#,
            #""\ud83d""#, #""\ude00""#, #"{"\ud83d":1}"#, "\u{FEFF}{}", "[[[[[]]]]]",
        ]
        for text in ambiguous {
            let data = Data(text.utf8)
            expectTrue(JSONValue(parsing: data) != nil, "\(text)")
            expectEqual(JSONValue(exactly: data, depth: 4), nil, "\(text)")
        }
    }
}
