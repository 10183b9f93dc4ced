import Expectations
import InterceptorKit
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Cookies in Netscape's file format")
struct NetscapeCookiesTests {
    // As curl 7.88 writes them.
    private let file = """
        # Netscape HTTP Cookie File
        # https://curl.se/docs/http-cookies.html

        127.0.0.1\tFALSE\t/x/\tFALSE\t0\tq\t"x y"
        .a.example\tTRUE\t/\tTRUE\t1795817901\te\t
        #HttpOnly_::1\tFALSE\t/x\tFALSE\t0\tsess\t1=2

        """

    @Test("are read as curl writes them, and written so that they are read again")
    func curl() throws {
        let cookies = try HTTP.Cookie.cookies(inNetscape: file)

        expectEqual(cookies.map(\.domain), ["127.0.0.1", "a.example", "[::1]"])
        expectEqual(cookies.map(\.isHostOnly), [true, false, true])
        expectEqual(cookies.map(\.path), ["/x/", "/", "/x"])
        expectEqual(cookies.map(\.isSecure), [false, true, false])
        expectEqual(cookies.map(\.isHTTPOnly), [false, false, true])
        expectEqual(cookies.map(\.name), ["q", "e", "sess"])
        expectEqual(cookies.map(\.value), ["\"x y\"", "", "1=2"])
        expectEqual(
            cookies.map { $0.expiresAt?.timeIntervalSince1970 },
            [nil, 1_795_817_901, nil]
        )
        expectEqual(
            cookies.netscapeText().split(separator: "\n").dropFirst(),
            file.split(separator: "\n").dropFirst(2)
        )
        expectEqual(try HTTP.Cookie.cookies(inNetscape: cookies.netscapeText()), cookies)
    }

    @Test(
        "are read from what other programs write",
        arguments: [
            // Python's session, lines ended as on Windows, and an empty value without its tab.
            ("a.example\tFALSE\t/\tFALSE\t\tn\tv", "n=v"),
            ("a.example\tFALSE\t/\tFALSE\t0\tn\tv\r", "n=v"),
            ("a.example\tfalse\t/\tTrue\t0\tn", "n="),
            // A byte order mark, as editors on Windows write it.
            ("\u{FEFF}a.example\tFALSE\t/\tFALSE\t0\tn\tv", "n=v"),
            ("\u{FEFF}# Netscape\na.example\tFALSE\t/\tFALSE\t0\tn\tv", "n=v"),
            // Extensions write fractions, and numbers beyond any date.
            ("a.example\tFALSE\t/\tFALSE\t1795817901.5\tn\tv", "n=v"),
            ("a.example\tFALSE\t/\tFALSE\t99999999999999999999999\tn\tv", "n=v"),
            ("a.example\tFALSE\t/\tFALSE\t-1\tn\tv", "n=v"),
            // No field could set these.
            ("a.example\tFALSE\t/\tFALSE\t0\t\tv", ""), ("a.example\tFALSE\tx\tFALSE\t0\tn\tv", ""),
            ("a b\tFALSE\t/\tFALSE\t0\tn\tv", ""),
            ("a.example\tTRUE\t/\tFALSE\t0\t__Host-n\tv", ""),
            ("# a comment", ""), ("#", ""), (" \t ", ""), ("", ""), ("#HttpOnly_", ""),
        ]
    )
    func others(line: String, pairs: String) throws {
        let cookies = try HTTP.Cookie.cookies(inNetscape: line)

        expectEqual(cookies.map { "\($0.name)=\($0.value)" }.joined(), pairs)
    }

    @Test(
        "refuses a file with a line that is not of the format",
        arguments: [
            "<html>", "a.example FALSE / FALSE 0 n s3cret", "a\tFALSE\t/\tFALSE\t0\tn\ts3cret\tw",
            "a.example\tNO\t/\tFALSE\t0\tn\ts3cret", "a.example\tFALSE\t/\t1\t0\tn\ts3cret",
            "a.example\tFALSE\t/\tFALSE\tnan\tn\ts3cret",
            "a.example\tFALSE\t/\tFALSE\t0x1\tn\ts3cret",
            "a.example\tFALSE\t/\tFALSE\t1.2.3\tn\ts3cret",
            "a.example\tFALSE\t/\tFALSE\t-\tn\ts3cret",
        ]
    )
    func malformed(line: String) {
        let error = #expect(throws: HTTP.ContentError.self) {
            try HTTP.Cookie.cookies(inNetscape: "# Netscape HTTP Cookie File\r\n" + line)
        }

        expectEqual(error?.code, .malformedCookieFile)
        expectEqual(error?.place, "line 2")
        expectEqual(error?.message.contains("Line 2"), true)
        expectEqual(error?.message.contains("s3cret"), false)
    }

    @Test("writes any date, and leaves out what the format cannot hold")
    func extremes() throws {
        let dates = [
            (-1e300, 1), (0, 1), (0.5, 1), (.nan, 1), (2.5, 2), (1e300, 253_402_300_799),
            (.infinity, 253_402_300_799),
        ].map { (Date(timeIntervalSince1970: $0), $1) }

        for (date, seconds) in dates {
            let cookie = try HTTP.Cookie(
                name: "n",
                value: "v",
                domain: "a.example",
                expiresAt: date
            )
            expectEqual([cookie].netscapeText().contains("\t\(seconds)\tn\tv\n"), true)
        }
        let tab = try HTTP.Cookie(name: "n", value: "a\tb", domain: "a.example")
        expectEqual([tab].netscapeText(), "# Netscape HTTP Cookie File\n\n")
    }

    @Test("goes into a jar that has no session of its own, and out again")
    func jar() throws {
        let jar = CookieJar(try HTTP.Cookie.cookies(inNetscape: file))

        expectEqual(
            jar.cookies(for: "https://b.a.example/", at: .distantPast).map(\.name),
            ["e"]
        )
        expectEqual(jar.cookies(for: "http://[::1]/x", at: .distantPast).map(\.name), ["sess"])
        expectEqual(try HTTP.Cookie.cookies(inNetscape: jar.cookies.netscapeText()), jar.cookies)
    }
}
