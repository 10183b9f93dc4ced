import Expectations
import Testing

@testable import InterceptorKit

@Suite("CanonicalWriter")
struct CanonicalWriterTests {
    private func text(_ write: (inout CanonicalWriter) -> Void) -> String {
        var text = CanonicalWriter(capacity: 0)
        write(&text)
        return text.string
    }

    @Test("encodes every byte but the unreserved, in capital digits")
    func encoded() {
        let unreserved = "-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~"
        let kept = Set(unreserved.utf8)

        for byte in UInt8.min...UInt8.max {
            let digits = String(byte, radix: 16, uppercase: true)
            let escape = "%" + (digits.count == 1 ? "0" : "") + digits

            let expected = kept.contains(byte) ? String(UnicodeScalar(byte)) : escape
            expectEqual(text { $0.appendEncoded(byte) }, expected)
        }
        expectEqual(CanonicalWriter(encoding: Array("a é".utf8)).string, "a%20%C3%A9")
    }

    @Test(
        "encodes what may be encoded already just once",
        arguments: [
            ("abc", "abc"), ("%61%2d%7E", "a-~"), ("%2f", "/"), ("%2F/", "//"), ("a b", "a%20b"),
            ("%20%c3%A9é", "%20%C3%A9%C3%A9"), ("%", "%25"), ("%4", "%254"), ("%zz", "%25zz"),
            ("%%41", "%25A"), ("%2541", "%2541"), ("100%", "100%25"),
        ]
    )
    func encodedOnce(text written: String, canonical: String) {
        let slash = UInt8(ascii: "/")
        let bytes = Array("x\(written)".utf8).dropFirst()
        // An escaped slash is no separator, so only one that is written as such is kept.
        let expected = canonical.replacing("/", with: "%2F")

        expectEqual(text { $0.appendEncodedOnce(bytes) }, expected)
        expectEqual(text { $0.appendEncodedOnce("a/b".utf8Array, keeping: slash) }, "a/b")
        expectEqual(text { $0.appendEncodedOnce("a%2fb".utf8Array, keeping: slash) }, "a%2Fb")
    }

    @Test(
        "trims a field's value, and leaves one space of each run of blanks",
        arguments: [
            ("", ""), (" ", ""), ("\t \t", ""), ("a", "a"), (" a ", "a"), ("a b", "a b"),
            ("a  b", "a b"), ("a\tb", "a b"), ("\ta \t b\t", "a b"), ("a b  ", "a b"),
            ("é  ü", "é ü"), ("  a  b  c  ", "a b c"),
        ]
    )
    func singleSpaced(value: String, canonical: String) {
        expectEqual(
            text {
                $0.append("x: "); $0.appendSingleSpaced(value)
            },
            "x: " + canonical
        )
    }

    @Test("changes nothing that stands before an index")
    func fromIndex() {
        let written = text { text in
            text.append("A\n")
            let start = text.bytes.count
            text.append("Content-TYPE[@Z]é")
            text.lowercase(from: start)
            expectEqual(text.isPrintable(from: start), false)
            text.append("gone")
            text.clear(from: text.bytes.count - 4)
        }

        expectEqual(written, "A\ncontent-type[@z]é")
    }

    @Test(
        "is printable if it has only visible ASCII, blanks and tabs",
        arguments: [
            ("", true), ("a b\t~", true), (" ", true), ("a\n", false), ("\u{0}a", false),
            ("\u{1F}", false), ("\u{7F}", false), ("é", false),
        ]
    )
    func printable(value: String, isPrintable: Bool) {
        var text = CanonicalWriter()
        text.append("\n")
        let start = text.bytes.count
        text.append(value)

        expectEqual(text.isPrintable(from: start), isPrintable)
        expectTrue(!text.isPrintable(from: 0))
    }

    @Test("adds digests in digits, and bytes in Base64")
    func digests() {
        let digest = HashAlgorithm.sha256.hash("abc".utf8)

        expectEqual(text { $0.appendHexadecimal(digest) }, digest.hexadecimal)
        expectEqual(text { $0.appendBase64([0xFB, 0xFF]) }, "+/8=")
        expectEqual(text { $0.appendBase64([]) }, "")
    }
}

extension String {
    fileprivate var utf8Array: ArraySlice<UInt8> { Array(utf8)[...] }
}
