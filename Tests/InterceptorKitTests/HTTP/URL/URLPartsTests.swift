import Expectations
import Testing

@testable import InterceptorKit

@Suite("URLParts")
struct URLPartsTests {
    @Test(
        "refuses a host that engines parse as different IPv4 addresses",
        arguments: [
            "http://127.1/", "http://2130706433/", "http://0x7f.0.0.1/", "http://127.0.0.01/",
            "http://127.0.0.256/", "http://1.2.3.4.5/", "http://a.0x7/",
        ]
    )
    func address(text: String) {
        expectEqual(URLParts(text).problem, .numberedHost)
    }

    @Test(
        "finds each part in the text, or that there is none",
        arguments: [
            ("HTTP://H:80/a%2Fb?c=d#e", ["HTTP", "H", "80", "/a%2Fb", "c=d"]),
            ("http://[::1]", ["http", "[::1]", nil, "", nil]),
            ("//h/p?", [nil, "h", nil, "/p", ""]), ("?q", [nil, nil, nil, "", "q"]),
            ("#f?g", [nil, nil, nil, "", nil]), ("a#b?c:d", [nil, nil, nil, "a", nil]),
            ("http://h#/p", ["http", "h", nil, "", nil]), ("/a:b", [nil, nil, nil, "/a:b", nil]),
            ("http://h?a/b?c", ["http", "h", nil, "", "a/b?c"]),
            ("http://h:/p", ["http", "h", nil, "/p", nil]),
            ("http://[::FFFF:1.2.3.4]:", ["http", "[::FFFF:1.2.3.4]", nil, "", nil]),
            ("1a:b", [nil, nil, nil, "1a:b", nil]), ("http:///x", ["http", "", nil, "/x", nil]),
        ] as [(String, [String?])]
    )
    func places(text: String, expected: [String?]) {
        let bytes = Array(text.utf8)
        let parts = URLParts(text)

        let ranges = [parts.scheme, parts.host, nil, parts.path, parts.query]
        var found = ranges.map { $0.map { String(decoding: bytes[$0], as: UTF8.self) } }
        found[2] = parts.port.map { "\($0)" }

        expectEqual(found, expected)
        expectEqual(parts.problem, nil)
    }

    @Test(
        "has the first problem of several, and keeps the parts before it",
        arguments: [
            ("http://u@h:x/ ", .character, nil), ("http://u@h:x/", .userInformation, nil),
            ("http://h:65536/", .port, 7..<8), ("http://h:00080/", nil, 7..<8),
            ("http://h:0000000080/", nil, 7..<8),
            ("http://h:\(String(repeating: "9", count: 99))/", .port, 7..<8),
            ("http://[::1]8/", .port, 7..<12),
            ("http://[1:2]/", .address, nil), ("http://[1::1::1]/", .address, nil),
            ("http://[12345::]/", .address, nil), ("http://h:+80/", .port, 7..<8),
            ("http://h:-0/", .port, 7..<8),
            ("http://a%41/", .encodedHost, nil), ("x:y", .noAuthority, nil),
            ("http://a/{%2", .reserved(UInt8(ascii: "{")), nil),
        ] as [(String, URLProblem?, Range<Int>?)]
    )
    func problems(text: String, problem: URLProblem?, host: Range<Int>?) {
        let parts = URLParts(text)

        expectEqual(parts.problem, problem)
        expectEqual(parts.host, host)
    }
}
