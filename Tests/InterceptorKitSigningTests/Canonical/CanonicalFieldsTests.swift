import Expectations
import Testing

@testable import InterceptorKit
@testable import InterceptorKitSigning

@Suite("CanonicalFields")
struct CanonicalFieldsTests {
    private func lines(
        _ fields: [(String, String)],
        _ covered: SignedFields = .all,
        host: String? = nil
    ) -> String {
        var text = CanonicalWriter()
        let request = HTTP.Request.get("https://h.example/", headers: HTTP.Headers(fields))
        CanonicalFields(of: request, covered, host: host).writeLines(to: &text)
        return text.string
    }

    @Test(
        "are sorted, with the values of a name in the request's order",
        arguments: [1, 5, 16, 17, 40]
    )
    func order(count: Int) {
        // Each name twice, the second time in other letters, and in an order of its own.
        let names = (0..<count).map { "x-\($0 * 7 % count)" }
        let fields = names.map { ($0, "1") } + names.map { ($0.uppercased(), "0") }

        let expected = names.sorted().map { "\($0):1,0\n" }.joined()
        expectEqual(lines(fields), expected)
    }

    @Test("have one host, the request's own before the one that is given")
    func host() {
        expectEqual(lines([("Host", "a"), ("X-A", "1")], host: "b"), "host:a\nx-a:1\n")
        expectEqual(lines([("X-A", "1")], host: "b"), "host:b\nx-a:1\n")
        expectEqual(
            lines([("Host", "a"), ("X-A", "1")], .only(["X-A"]), host: "b"),
            "host:a\nx-a:1\n"
        )
        expectEqual(lines([("Host", "a"), ("X-A", "1")], .only(["X-A"])), "x-a:1\n")
        expectEqual(lines([]), "")
    }

    @Test("are chosen by name in any case, without those that change on the way")
    func choice() {
        let changing = [
            "Authorization", "Connection", "Expect", "Keep-Alive", "Proxy-Connection", "TE",
            "Trailer", "Transfer-Encoding", "Upgrade", "User-Agent", "X-Amzn-Trace-Id",
        ]
        let fields = changing.map { ($0, "1") } + [("X-Note", "2"), ("Note", "3")]

        expectEqual(lines(fields), "note:3\nx-note:2\n")
        expectEqual(lines(fields, .all(except: ["X-NOTE"])), "note:3\n")
        expectEqual(lines(fields, .prefixed(by: ["X-"])), "x-amzn-trace-id:1\nx-note:2\n")
        expectEqual(lines(fields, .only(["NOTE", "Te"])), "note:3\nte:1\n")
    }

    @Test("may have the values of a name in the order of their bytes")
    func sortedValues() {
        let values: HTTP.Headers = ["B": "b", "A": "é", "b": "B", "a": "z"]
        let request = HTTP.Request.get("https://h.example/", headers: values)
        var fields = CanonicalFields(of: request, .only(["a", "b"]), host: nil)
        var text = CanonicalWriter()

        fields.sortValues()
        fields.writeLines(to: &text)

        expectEqual(text.string, "a:z,é\nb:B,b\n")
    }

    @Test("are exact unless a value has the mark of bytes that were replaced")
    func exact() {
        let headers: HTTP.Headers = ["A": "é", "B": "\u{FFFD}", "b": "x"]

        expectTrue(headers.areExact(["a", "none"]))
        expectTrue(!headers.areExact(["a", "b"]))
    }
}
