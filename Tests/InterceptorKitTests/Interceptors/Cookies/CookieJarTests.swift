import Expectations
import InterceptorKit
import TestRun
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("CookieJar", .processorBound)
struct CookieJarTests {
    private let start = Date(timeIntervalSince1970: 1_767_225_600)
    private let site: HTTP.URL = "https://www.a.example/dir/page"

    private func store(
        _ fields: String...,
        in jar: CookieJar,
        from url: HTTP.URL? = nil,
        after seconds: Double = 0
    ) {
        let url = url ?? site
        let date = start.addingTimeInterval(seconds)
        let kept = fields.compactMap { HTTP.Cookie($0, from: url, at: date) }
        jar.store(kept, from: url, at: date)
    }

    private func sent(_ jar: CookieJar, to url: HTTP.URL? = nil, after seconds: Double = 0)
        -> String
    {
        jar.cookies(for: url ?? site, at: start.addingTimeInterval(seconds))
            .map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }

    @Test("sends longer paths first, then cookies that were set earlier")
    func order() {
        let jar = CookieJar()
        store("c=1; Path=/", in: jar, after: 2)
        store("a=1; Path=/", "b=1; Path=/", in: jar, after: 1)
        store("d=1; Path=/dir", in: jar, after: 3)
        store("e=1; Path=/; Domain=a.example", in: jar)

        expectEqual(sent(jar, after: 4), "d=1; e=1; a=1; b=1; c=1")
    }

    @Test("replaces by name, domain and path, and keeps the creation order")
    func replaces() {
        let jar = CookieJar()
        store("a=1; Path=/", "b=1; Path=/", in: jar)
        store("a=2; Path=/", "a=3; Path=/dir", "a=4; Path=/; Domain=a.example", in: jar, after: 1)

        expectEqual(sent(jar, after: 2), "a=3; a=2; b=1; a=4")
        expectEqual(jar.cookies.first?.createdAt, start)
    }

    @Test("removes cookies that expire or that a server deletes")
    func ends() {
        let jar = CookieJar()
        store("a=1; Max-Age=10", "b=1", "c=1", in: jar)

        expectEqual(sent(jar, after: 9.9), "a=1; b=1; c=1")
        expectEqual(sent(jar, after: 10), "b=1; c=1")
        store("b=; Expires=Thu, 01 Jan 1970 00:00:00 GMT", in: jar, after: 11)
        expectEqual(sent(jar, after: 11), "c=1")
        store("never=; Max-Age=0", in: jar, after: 12)
        expectEqual(jar.cookies.map(\.name), ["a", "c"])
    }

    @Test("keeps http from overwriting a cookie that https set")
    func leavesSecureAlone() {
        let jar = CookieJar()
        store("a=1; Secure; Path=/login", "b=1; Secure; Domain=a.example; Path=/", in: jar)
        store("a=2; Path=/login/en", "b=2; Path=/", in: jar, from: "http://www.a.example/")
        store("b=2; Path=/; Domain=a.example", in: jar, from: "http://x.a.example/")
        store("a=3; Path=/", "b=3; Path=/", in: jar, from: "http://other.example/")
        store("a=4; Path=/", in: jar, from: "http://www.a.example/")

        expectEqual(sent(jar, to: "https://www.a.example/login/en"), "a=1; b=1; a=4")
        expectEqual(sent(jar, to: "http://other.example/"), "a=3; b=3")
    }

    @Test("keeps the newest of very many that are stored at once")
    func manyAtOnce() {
        let jar = CookieJar()
        let cookies = (0..<8000).compactMap { HTTP.Cookie("c\($0)=1", from: site, at: start) }

        jar.store(cookies + cookies.prefix(1), from: site, at: start)

        expectEqual(jar.cookies.map(\.name), ["c0"] + (7821..<8000).map { "c\($0)" })
    }

    @Test("refuses a secure cookie over http")
    func secureOverHTTP() {
        let jar = CookieJar()
        let cookie = HTTP.Cookie("a=1; Secure", from: site, at: start)

        jar.store([cookie].compactMap(\.self), from: "http://www.a.example/", at: start)

        expectTrue(jar.cookies.isEmpty)
    }

    @Test("removes all cookies, or those that match")
    func removes() {
        let jar = CookieJar()
        store("a=1", "b=1", "c=1", in: jar)

        jar.removeAll { $0.name == "b" }
        expectEqual(jar.cookies.map(\.name), ["a", "c"])
        jar.removeAll()
        expectTrue(jar.cookies.isEmpty)
        expectEqual("\(jar)", "CookieJar(0 cookies)")
    }

    @Test("is restored from a snapshot, without session cookies unless asked for")
    func snapshots() throws {
        let jar = CookieJar()
        store("a=s3cret; Max-Age=60; Secure; HttpOnly", "b=2; Domain=a.example", in: jar)

        let encoded = try JSONEncoder().encode(jar.snapshot())
        let back = CookieJar(try JSONDecoder().decode(CookieJar.Snapshot.self, from: encoded))
        let whole = CookieJar(jar.snapshot(includingSession: true))

        expectEqual(back.cookies, Array(jar.cookies.prefix(1)))
        expectEqual(whole.cookies, jar.cookies)
        expectEqual("\(jar.snapshot())", "Snapshot(1 cookies)")
        var dumped = ""
        dump(jar.snapshot(), to: &dumped)
        dump(jar, to: &dumped)
        expectTrue(!dumped.contains("s3cret"))
    }

    @Test(
        "skips invalid cookies of a snapshot",
        arguments: [
            ("a", "b\r\nX: y"), ("a", "b; c=d"), ("", "b"), ("a=b", "c"), ("a", " b"),
            ("a\u{0}", "b"),
        ]
    )
    func forgedSnapshot(name: String, value: String) throws {
        struct Record: Encodable {
            var name: String
            var value: String
            var domain = "a.example"
            var hostOnly = true
            var path = "/"
            var secure = false
            var httpOnly = false
            var created = 0
        }
        let data = try JSONEncoder().encode(["records": [Record(name: name, value: value)]])

        let jar = CookieJar(try JSONDecoder().decode(CookieJar.Snapshot.self, from: data))

        expectTrue(jar.cookies.isEmpty)
    }
}
