import Expectations
import InterceptorKit
import Testing

@Suite("HTTP.FieldSyntax")
struct FieldSyntaxTests {
    @Test("ignores the case of letters only in names")
    func folding() {
        expectTrue(HTTP.FieldSyntax.isSameName("X-a", "x-A"))
        expectTrue(!HTTP.FieldSyntax.isSameName("a[", "a{"))
        expectTrue(!HTTP.FieldSyntax.isSameName("a", "ab"))
        expectTrue(!HTTP.FieldSyntax.isSameName("@", "`"))
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

    @Test("escapes text from elsewhere, and cuts it at 80 characters")
    func printable() {
        let long = String(repeating: "é", count: 80)

        expectEqual(HTTP.printable("a\"\n\u{1B}"), #""a\"\n\u{1B}""#)
        expectEqual(HTTP.printable(long), "\"\(long)\"")
        expectEqual(HTTP.printable(long + "b"), "\"\(long)\"…")
    }
}
