import InterceptorKit
import Testing

@Suite("HTTP.FieldSyntax")
struct FieldSyntaxTests {
    @Test("ignores the case of letters only in names")
    func folding() {
        #expect(HTTP.FieldSyntax.isSameName("X-a", "x-A"))
        #expect(!HTTP.FieldSyntax.isSameName("a[", "a{"))
        #expect(!HTTP.FieldSyntax.isSameName("a", "ab"))
        #expect(!HTTP.FieldSyntax.isSameName("@", "`"))
    }

    @Test("knows tokens, names, blanks and quoted strings")
    func fields() {
        #expect(HTTP.FieldSyntax.isToken("X-Sum") && !HTTP.FieldSyntax.isToken("X Sum"))
        #expect(!HTTP.FieldSyntax.isToken(""))
        #expect(HTTP.FieldSyntax.isSameName("ETag", "etag"))
        #expect(HTTP.FieldSyntax.trimmed(" \ta b ") == "a b")
        #expect(HTTP.FieldSyntax.quoted(#"a"b\"#) == #""a\"b\\""#)
    }

    @Test("trims spaces and tabs alone")
    func trimming() {
        #expect(HTTP.FieldSyntax.trimmed(" \t ") == "")
        #expect(HTTP.FieldSyntax.trimmed("\u{A0}a\n") == "\u{A0}a\n")
    }

    @Test("escapes text from elsewhere, and cuts it at 80 characters")
    func printable() {
        let long = String(repeating: "é", count: 80)

        #expect(HTTP.printable("a\"\n\u{1B}") == #""a\"\n\u{1B}""#)
        #expect(HTTP.printable(long) == "\"\(long)\"")
        #expect(HTTP.printable(long + "b") == "\"\(long)\"…")
    }
}
