import Expectations
import Foundation
import TestSupport
import Testing

@testable import InterceptorKit
@testable import InterceptorKitSigning

@Suite("Percent-decoding")
struct DecodedBytesTests {
    @Test(
        "decodes two hexadecimal digits after a percent sign, nothing else",
        arguments: [
            ("%41%4a%4B", "AJK"), ("%-0", "%-0"), ("%+1", "%+1"), ("% 1", "% 1"), ("%4", "%4"),
            ("%", "%"), ("%%41", "%A"), ("%0x", "%0x"), ("%1\u{e9}", "%1\u{e9}"),
        ]
    )
    func escapes(_ text: String, _ decoded: String) {
        expectEqual(PercentEncoding.decode(text), decoded)
        expectEqual(PercentEncoding.decodedBytes(text.utf8), Array(decoded.utf8))
    }

    @Test("keeps bytes apart that decode to the same text")
    func bytes() {
        let pairs = HTTP.FormPair.pairs(
            of: "%FF=%FE&%EF%BF%BD=%C0%80&+=%2b".utf8,
            plusIsBlank: true
        )

        expectEqual(pairs.map(\.name), [[0xFF], [0xEF, 0xBF, 0xBD], [0x20]])
        expectEqual(pairs.map(\.value), [[0xFE], [0xC0, 0x80], [0x2B]])
    }

    @Test("replaces the parameters of a name, but not those of similar bytes")
    func merging() {
        let url: HTTP.URL = "https://h.example/?%FF=1&%EF%BF%BD=2&e%CC%81=3&%C3%A9=4"

        let changed = url.merging(query: ["\u{FFFD}": "5", "\u{e9}": "6"], .replaceExisting)
        let kept = url.merging(query: ["\u{FFFE}": "5", "\u{e9}": "6"], .keepExisting)

        expectEqual(changed.query, "%FF=1&e%CC%81=3&%EF%BF%BD=5&%C3%A9=6")
        expectEqual(kept.query, url.query.map { $0 + "&%EF%BF%BE=5" })
    }
}
