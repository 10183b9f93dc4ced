import Expectations
import InterceptorKit
import TestSupport
import Testing

@testable import InterceptorKitInspection

@Suite("JSONText")
struct JSONTextTests {
    private func text(_ text: String) -> JSONText { JSONText(Array(text.utf8)) }

    @Test(
        "takes any JSON, between blanks and after a byte order mark",
        arguments: [
            "null", "\u{FEFF} true\n", "-1.5e+3", #""\"\\\u00e9""#, "[]", "{ }",
            "[[],{\"a\":[1,2]}]",
            "\t{\"a\" : \"}\" , \"b\":[false]}\r\n",
            String(repeating: "[", count: 512) + String(repeating: "]", count: 512),
        ]
    )
    func valid(json: String) {
        expectEqual(text(json).problem, nil)
    }

    @Test(
        "takes no number and no escape that JSON has not",
        arguments: [
            "+1.5", "0.", ".5", "01", "-", "1e", "1e+", "-01", "1.e1", "0x1", #""\x""#, #""\u12""#,
            #""\u12g4""#, #""\u+123""#, #""\"#,
        ]
    )
    func invalid(json: String) {
        expectTrue(text(json).problem != nil)
        expectTrue(text("[\(json)]").problem != nil)
    }

    @Test(
        "has whole characters where half of one was written",
        arguments: [
            (#"["\ud83d","\uDE00\ud83d"]"#, #"["\ufffd","\ufffd\ufffd"]"#),
            (#""\ud83d\ude00\\ud83d\n""#, #""\ud83d\ude00\\ud83d\n""#),
            (#""\ud83d\ud83d\ude00""#, #""\ufffd\ud83d\ude00""#), (#""\"#, #""\"#),
        ]
    )
    func surrogates(json: String, whole: String) {
        expectEqual(String(decoding: text(json).withWholeCharacters, as: UTF8.self), whole)
    }

    @Test("counts lines and columns after a byte order mark and line breaks")
    func place() {
        expectEqual(text("{\"a\":\n\n  x}").problem, "line 3, column 3")
        expectEqual(text("[\"a\nb\"]").problem, "line 1, column 4")
    }

    @Test("finds an array by its path, and where its last element ends")
    func array() throws {
        let json = #"{"entries":[0],"log":{"x":{"entries":[9]},"entries" : [ 1, [2] ] }}"#

        let found = try unwrap(text(json).array(at: ["log", "entries"]))

        let bytes = Array(json.utf8)
        expectTrue(!found.isEmpty)
        expectTrue(String(decoding: bytes[..<found.end], as: UTF8.self).hasSuffix("[ 1, [2]"))
        expectEqual(String(decoding: bytes[found.closing...], as: UTF8.self), "] }}")
    }

    @Test("finds the last of equal names, as decoders do")
    func repeated() {
        let found = text(#"{"log":[1],"log":[ ]}"#).array(at: ["log"])

        expectEqual(found, JSONText.Array(isEmpty: true, end: 18, closing: 19))
    }

    @Test(
        "finds no array where there is another value or none",
        arguments: [#"{"a":1}"#, #"{"a":{}}"#, #"{"b":[]}"#, "[]", "", "{", #"{"a":[1"#, #"{"a":"#]
    )
    func none(json: String) {
        expectEqual(text(json).array(at: ["a"]), nil)
    }
}
