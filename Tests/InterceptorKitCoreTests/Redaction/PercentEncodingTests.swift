import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("PercentEncoding")
struct PercentEncodingTests {
    @Test(
        "encodes the UTF-8 of all but unreserved characters, in upper case",
        arguments: [
            ("", ""), ("AZaz09-._~", "AZaz09-._~"), ("a b+c", "a%20b%2Bc"),
            ("/?#[]@!$&'()*,;=:%", "%2F%3F%23%5B%5D%40%21%24%26%27%28%29%2A%2C%3B%3D%3A%25"),
            ("é🙂\u{0}", "%C3%A9%F0%9F%99%82%00"),
        ]
    )
    func encoding(text: String, encoded: String) {
        expectEqual(PercentEncoding.encode(text), encoded)
    }

    @Test("decodes what it encoded to the same bytes, whatever the text")
    func roundTrip() {
        var generator = SeededGenerator(seed: 7)
        let texts = (0..<500).map { _ in
            let scalars = (0..<12).compactMap { _ in
                Unicode.Scalar(UInt32.random(in: 0..<0x11_0000, using: &generator))
            }
            return String(String.UnicodeScalarView(scalars))
        }

        let changed = texts.filter { text in
            let encoded = PercentEncoding.encode(text).utf8
            return PercentEncoding.decodedBytes(encoded) != Array(text.utf8)
                || encoded.contains { $0 >= 0x80 }
        }

        expectEqual(changed, [])
    }

    @Test("takes a plus for a blank only in forms, and not one that was encoded")
    func plus() {
        let text = "a+b%2Bc".utf8

        expectEqual(PercentEncoding.decodedBytes(text, plusIsBlank: true), Array("a b+c".utf8))
        expectEqual(PercentEncoding.decodedBytes(text), Array("a+b+c".utf8))
    }

    @Test("reads no escape beyond the end of a part of a text")
    func parts() {
        let whole = Array("x%41".utf8)

        expectEqual(PercentEncoding.decodedBytes(whole[1..<3]), Array("%4".utf8))
        expectEqual(PercentEncoding.escapedByte(in: whole[1...], at: 1), 0x41)
        expectEqual(PercentEncoding.escapedByte(in: whole[..<3], at: 1), nil)
    }
}
