import Expectations
import InterceptorKit
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("JSONHiding")
struct JSONHidingTests {
    private func shown(_ text: String, _ type: String = "application/json") -> String? {
        let shown = Redaction.standard.body(Data(text.utf8), of: ["Content-Type": type])
        guard case .text(let text) = shown else { return nil }
        return text
    }

    @Test(
        "hides named members at any depth, and keeps every other byte",
        arguments: [
            (#"{"token":"s","a":1}"#, #"{"token":"██","a":1}"#),
            (#"{"accessToken" : "s", "x": [1, 2.50]}"#, #"{"accessToken" : "██", "x": [1, 2.50]}"#),
            (#"[{"a":{"Client-Secret":"s"}}]"#, #"[{"a":{"Client-Secret":"██"}}]"#),
            (#"{"password":"a\"b\\","x":"y"}"#, #"{"password":"██","x":"y"}"#),
            (#"{"pin":1234}"#, #"{"pin":"██"}"#),
            (#"{"credentials":{"a":["}","\"]"]},"x":1}"#, #"{"credentials":"██","x":1}"#),
            (#"{"token":null,"secret":"","otp":true}"#, #"{"token":null,"secret":"","otp":true}"#),
            (#"{"\u0074oken":"s"}"#, #"{"\u0074oken":"██"}"#),
            (
                #"{"a":"token","b":":","code":"E1","key":"k"}"#,
                #"{"a":"token","b":":","code":"E1","key":"k"}"#
            ),
            ("{\"a\":1}\n{\"jwt\":\n \"s\"}\n", "{\"a\":1}\n{\"jwt\":\n \"██\"}\n"),
            (#"data: {"token":"s"}"#, #"data: {"token":"██"}"#),
            (#"it's 5" {"token":"s"#, #"it's 5" {"token":"██"#),
            (#"{"token":"#, #"{"token":"#),
            (#"{"echo":"a=1&pwd=x \"y","n":1}"#, #"{"echo":"a=1&pwd=██","n":1}"#),
            (#"{"m":"otp: x","u":"https:\/\/a:b@h"}"#, #"{"m":"otp: ██","u":"https://██@h"}"#),
            (
                #"[{"name":"pin","value":"1"},{"value":"2"}]"#,
                #"[{"name":"pin","value":"██"},{"value":"2"}]"#
            ),
            (#"{"code":"4a6f-b1c2-d3","key":"a b"}"#, #"{"code":"██","key":"a b"}"#),
            ("a=1&pwd=x", "a=1&pwd=██"), (#"{"a":"x\/y"}"#, #"{"a":"x\/y"}"#),
        ]
    )
    func json(text: String, expected: String) {
        expectEqual(shown(text), expected)
    }

    @Test("hides members of JSON quoted in JSON, at any depth")
    func quotedJSON() throws {
        var text = #"{"a":"x\"","token":"se\\cret","pin":12,"z":[{"jwt" : {"q":"s"}}]}"#
        var expected = #"{"a":"x\"","token":"██","pin":"██","z":[{"jwt" : "██"}]}"#
        for _ in 0..<4 {
            text = String(decoding: try JSONEncoder().encode(["body": text]), as: UTF8.self)
            expected = String(decoding: try JSONEncoder().encode(["body": expected]), as: UTF8.self)

            expectEqual(shown(text), expected)
        }
    }

    @Test(
        "hides members of quoted JSON whose quotes are escaped code points",
        arguments: [
            (#"{"b":"{\u0022token\u0022:\u0022s\u0022}"}"#, #"{"b":"{\"token\":\"██\"}"}"#),
            (#"{"b":"{\u0022c\u0022:\u00221\u0022}"}"#, #"{"b":"{\u0022c\u0022:\u00221\u0022}"}"#),
            (#"["[\"{\\u0022pin\\u0022:1}\"]"]"#, #"["[\"{\\\"pin\\\":\\\"██\\\"}\"]"]"#),
        ]
    )
    func codePoints(text: String, expected: String) {
        expectEqual(shown(text), expected)
    }
}
