import Expectations
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

        expectEqual(shown, .text("a=1&password=██"))
    }

    private func shown(_ text: String, _ type: String = "application/json") -> String? {
        let shown = Redaction.standard.body(Data(text.utf8), of: ["Content-Type": type])
        guard case .text(let text) = shown else { return nil }
        return text
    }

    @Test("takes linear time for hostile text", .timeLimit(.minutes(10)))
    func hostileText() {
        let texts = [
            #"""#, #"\""#, #"\\\""#, #"{"token":["#, #""token" "#, "\\", "{", #"{"a":"{"#, "a:",
            "a:b@", "http://a:b ", "<token>", "name=", "%25", "token '", "Bearer ", "a=",
        ]
        .map { String(repeating: $0, count: 5000) }

        let lengths = texts.map { shown($0)?.utf8.count ?? 0 }

        expectTrue(lengths.allSatisfy { $0 > 0 })
    }

    @Test("hides form fields named like parameters or members")
    func form() {
        let type = "application/x-www-form-urlencoded; charset=utf-8"

        let text = shown("grant_type=code&code=s&Client%5Fsecret=s&newPassword=s&x=a%20b&y", type)

        expectEqual(text, "grant_type=code&code=██&Client%5Fsecret=██&newPassword=██&x=a%20b&y")
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
        expectEqual(shown(harmless, "multipart/form-data; boundary=b"), harmless)
    }

    @Test("keeps binary bodies and text that isn't UTF-8, searched as bytes")
    func binary() {
        let image = Data([0x89, 0x50, 0x4E, 0x47, 0, 0xFF])
        let latin = Data(#"{"name":""#.utf8) + [0xE9] + Data(#"","token":"s"}"#.utf8)
        let hidden = Data(#"{"name":""#.utf8) + [0xE9] + Data(#"","token":"██"}"#.utf8)

        let shownImage = Redaction.standard.body(image, of: ["Content-Type": "image/png"])
        let shownLatin = Redaction.standard.body(latin, of: ["Content-Type": "application/json"])

        expectEqual(shownImage, .binary(image))
        expectEqual(shownLatin, .binary(hidden))
    }
}
