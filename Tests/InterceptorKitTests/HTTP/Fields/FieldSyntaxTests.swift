import Expectations
import InterceptorKit
import InterceptorKitTesting
import Testing

@Suite("HTTP.FieldSyntax")
struct FieldSyntaxTests {
    @Test("ignores the case of letters only in names")
    func folding() {
        expectTrue(HTTP.FieldSyntax.isSameName("X-a", "x-A"))
        expectTrue(!HTTP.FieldSyntax.isSameName("a[", "a{"))
        expectTrue(!HTTP.FieldSyntax.isSameName("a", "ab"))
        expectTrue(!HTTP.FieldSyntax.isSameName("@", "`"))
        // Equal to a `String`, in as many bytes.
        expectTrue(!HTTP.FieldSyntax.isSameName("a\u{323}\u{307}", "a\u{307}\u{323}"))
        expectTrue(!HTTP.FieldSyntax.isSameName("K", "\u{212A}"))
    }

    @Test("knows tokens, names, blanks and quoted strings")
    func fields() {
        expectTrue(HTTP.FieldSyntax.isToken("X-Sum") && !HTTP.FieldSyntax.isToken("X Sum"))
        expectTrue(!HTTP.FieldSyntax.isToken(""))
        expectTrue(HTTP.FieldSyntax.isSameName("ETag", "etag"))
        expectEqual(HTTP.FieldSyntax.trimmed(" \ta b "), "a b")
        expectEqual(HTTP.FieldSyntax.quoted(#"a"b\"#), #""a\"b\\""#)
    }

    @Test("trims spaces and tabs alone")
    func trimming() {
        expectEqual(HTTP.FieldSyntax.trimmed(" \t "), "")
        expectEqual(HTTP.FieldSyntax.trimmed("\u{A0}a\n"), "\u{A0}a\n")
    }

    @Test(
        "makes text of any bytes, and the same bytes of it",
        arguments: [
            (Array("Zoë 東京 🚄".utf8), "Zoë 東京 🚄"),
            ([0x5A, 0x6F, 0xEB], "Zo\u{EFEB}"),
            // Cut off, too long, a surrogate, and beyond Unicode.
            ([0xE2, 0x82, 0x28], "\u{EFE2}\u{EF82}("),
            ([0xC0, 0xAF], "\u{EFC0}\u{EFAF}"),
            ([0xED, 0xA0, 0x80], "\u{EFED}\u{EFA0}\u{EF80}"),
            ([0xF4, 0x90, 0x80, 0x80], "\u{EFF4}\u{EF90}\u{EF80}\u{EF80}"),
            // The private character U+EF80 itself, and one beside them.
            ([0xEE, 0xBE, 0x80], "\u{EFEE}\u{EFBE}\u{EF80}"),
            ([0xEE, 0xBD, 0xBF], "\u{EF7F}"),
            ([0xEF, 0x80, 0x80], "\u{F000}"),
            ([], ""),
        ] as [([UInt8], String)]
    )
    func bytes(bytes: [UInt8], text: String) {
        expectEqual(HTTP.FieldSyntax.text(of: bytes), text)
        expectEqual(HTTP.FieldSyntax.bytes(of: text), bytes)
    }

    @Test("loses no byte of a value, whatever it is", arguments: 0..<8)
    func anyBytes(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let bytes = (0..<12).map { _ in UInt8.random(in: 0x80...0xFF, using: &generator) }

            expectEqual(HTTP.FieldSyntax.bytes(of: HTTP.FieldSyntax.text(of: bytes)), bytes)
        }
    }

    @Test("encodes the bytes of a reference that are not UTF-8")
    func reference() {
        let location = HTTP.FieldSyntax.text(of: Array("/caf".utf8) + [0xE9])

        expectEqual(HTTP.URL(received: location).text, "/caf%E9")
    }

    @Test("escapes text from elsewhere, and cuts it at 80 characters")
    func printable() {
        let long = String(repeating: "é", count: 80)

        expectEqual(HTTP.printable("a\"\n\u{1B}"), #""a\"\n\u{1B}""#)
        expectEqual(HTTP.printable(long), "\"\(long)\"")
        expectEqual(HTTP.printable(long + "b"), "\"\(long)\"…")
    }
}
