import InterceptorKit
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Redaction of bodies")
struct RedactionBodyTests {
    @Test("treats a body without Content-Type as a possible form")
    func unnamed() {
        let shown = Redaction.standard.body(Data("a=1&password=abc".utf8), of: [:])

        #expect(shown == .text("a=1&password=██"))
    }

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
        #expect(shown(text) == expected)
    }

    @Test("hides members of JSON quoted in JSON, at any depth")
    func quotedJSON() throws {
        var text = #"{"a":"x\"","token":"se\\cret","pin":12,"z":[{"jwt" : {"q":"s"}}]}"#
        var expected = #"{"a":"x\"","token":"██","pin":"██","z":[{"jwt" : "██"}]}"#
        for _ in 0..<4 {
            text = String(decoding: try JSONEncoder().encode(["body": text]), as: UTF8.self)
            expected = String(decoding: try JSONEncoder().encode(["body": expected]), as: UTF8.self)

            #expect(shown(text) == expected)
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
        #expect(shown(text) == expected)
    }

    @Test("takes linear time for hostile text", .timeLimit(.minutes(1)))
    func hostileText() {
        let texts = [
            #"""#, #"\""#, #"\\\""#, #"{"token":["#, #""token" "#, "\\", "{", #"{"a":"{"#, "a:",
            "a:b@", "http://a:b ", "<token>", "name=", "%25", "token '", "Bearer ", "a=",
        ]
        .map { String(repeating: $0, count: 5000) }

        let lengths = texts.map { shown($0)?.utf8.count ?? 0 }

        #expect(lengths.allSatisfy { $0 > 0 })
    }

    @Test("hides form fields named like parameters or members")
    func form() {
        let type = "application/x-www-form-urlencoded; charset=utf-8"

        let text = shown("grant_type=code&code=s&Client%5Fsecret=s&newPassword=s&x=a%20b&y", type)

        #expect(text == "grant_type=code&code=██&Client%5Fsecret=██&newPassword=██&x=a%20b&y")
    }

    @Test("withholds compressed, UTF-16 and secret multipart bodies")
    func withheld() {
        let compressed = Data([0x1F, 0x8B, 8, 0])
        let plain = Data("{\"token\":\"s\"}".utf8.flatMap { [0x00, $0] })
        let wide = Data(#"{"token":"s"}"#.utf8.flatMap { [$0, 0x00] } + [0xFF])
        let multipart = "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\ns\r\n--b--"
        let harmless = "--b\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\ns\r\n--b--"

        let bodies = [
            Redaction.standard.body(compressed, of: ["Content-Encoding": "gzip"]),
            Redaction.standard.body(wide, of: ["Content-Type": "application/json"]),
            Redaction.standard.body(plain, of: [:]),
            Redaction.standard.body(
                Data(multipart.utf8),
                of: ["Content-Type": "multipart/form-data; boundary=b"]
            ),
        ]

        for body in bodies {
            guard case .withheld = body else {
                Issue.record("\(body)")
                continue
            }
        }
        #expect(shown(harmless, "multipart/form-data; boundary=b") == harmless)
    }

    @Test("keeps binary bodies and text that isn't UTF-8, searched as bytes")
    func binary() {
        let image = Data([0x89, 0x50, 0x4E, 0x47, 0, 0xFF])
        let latin = Data(#"{"name":""#.utf8) + [0xE9] + Data(#"","token":"s"}"#.utf8)
        let hidden = Data(#"{"name":""#.utf8) + [0xE9] + Data(#"","token":"██"}"#.utf8)

        let shownImage = Redaction.standard.body(image, of: ["Content-Type": "image/png"])
        let shownLatin = Redaction.standard.body(latin, of: ["Content-Type": "application/json"])

        #expect(shownImage == .binary(image))
        #expect(shownLatin == .binary(hidden))
    }
}
