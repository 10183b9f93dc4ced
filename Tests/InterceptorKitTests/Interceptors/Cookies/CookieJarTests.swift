import InterceptorKit
import InterceptorKitTesting
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
        let kept = fields.compactMap { Cookie($0, from: url, at: date) }
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

        #expect(sent(jar, after: 4) == "d=1; e=1; a=1; b=1; c=1")
    }

    @Test("replaces by name, domain and path, and keeps the creation order")
    func replaces() {
        let jar = CookieJar()
        store("a=1; Path=/", "b=1; Path=/", in: jar)
        store("a=2; Path=/", "a=3; Path=/dir", "a=4; Path=/; Domain=a.example", in: jar, after: 1)

        #expect(sent(jar, after: 2) == "a=3; a=2; b=1; a=4")
        #expect(jar.cookies.first?.createdAt == start)
    }

    @Test("removes cookies that expire or that a server deletes")
    func ends() {
        let jar = CookieJar()
        store("a=1; Max-Age=10", "b=1", "c=1", in: jar)

        #expect(sent(jar, after: 9.9) == "a=1; b=1; c=1")
        #expect(sent(jar, after: 10) == "b=1; c=1")
        store("b=; Expires=Thu, 01 Jan 1970 00:00:00 GMT", in: jar, after: 11)
        #expect(sent(jar, after: 11) == "c=1")
        store("never=; Max-Age=0", in: jar, after: 12)
        #expect(jar.cookies.map(\.name) == ["a", "c"])
    }

    @Test("keeps http from overwriting a cookie that https set")
    func leavesSecureAlone() {
        let jar = CookieJar()
        store("a=1; Secure; Path=/login", "b=1; Secure; Domain=a.example; Path=/", in: jar)
        store("a=2; Path=/login/en", "b=2; Path=/", in: jar, from: "http://www.a.example/")
        store("b=2; Path=/; Domain=a.example", in: jar, from: "http://x.a.example/")
        store("a=3; Path=/", "b=3; Path=/", in: jar, from: "http://other.example/")
        store("a=4; Path=/", in: jar, from: "http://www.a.example/")

        #expect(sent(jar, to: "https://www.a.example/login/en") == "a=1; b=1; a=4")
        #expect(sent(jar, to: "http://other.example/") == "a=3; b=3")
    }

    @Test("evicts the least recently used cookie of a domain above its limit")
    func perDomain() {
        let jar = CookieJar(perDomain: 3)
        store("a=1; Path=/a", "b=1; Path=/b", "c=1; Path=/c", in: jar)
        _ = sent(jar, to: "https://www.a.example/a")
        store("d=1; Path=/d", in: jar)
        store("x=1", in: jar, from: "https://b.example/")

        #expect(jar.cookies.map(\.name) == ["a", "c", "d", "x"])
    }

    @Test("is bounded in all, and evicts expired cookies first")
    func total() {
        let jar = CookieJar(perDomain: 10, total: 4)
        for index in 0..<4 {
            store(
                "a=1\(index == 2 ? "; Max-Age=1" : "")",
                in: jar,
                from: HTTP.URL("https://h\(index).example/")
            )
        }
        store("a=1", in: jar, from: "https://h4.example/", after: 2)
        let afterEnded = jar.cookies.map(\.domain)
        _ = sent(jar, to: "https://h0.example/", after: 3)
        store("a=1", "b=1", in: jar, from: "https://h5.example/", after: 3)

        #expect(afterEnded == ["h0.example", "h1.example", "h3.example", "h4.example"])
        #expect(
            jar.cookies.map(\.domain) == ["h0.example", "h4.example", "h5.example", "h5.example"]
        )
    }

    @Test("stays within its limits and consistent in any order of operations")
    func randomUse() {
        var random = SeededGenerator(seed: 7)
        let jar = CookieJar(perDomain: 5, total: 20)
        for step in 0..<5000 {
            let host = Int.random(in: 0..<8, using: &random)
            let name = Int.random(in: 0..<12, using: &random)
            let life = ["", "; Max-Age=0", "; Max-Age=50"].randomElement(using: &random) ?? ""
            let url = HTTP.URL("https://h\(host).example/")
            if Bool.random(using: &random) {
                store("n\(name)=1\(life)", in: jar, from: url, after: Double(step))
            } else {
                _ = sent(jar, to: url, after: Double(step))
            }
            let all = jar.cookies
            #expect(all.count <= 20)
            #expect(Dictionary(grouping: all, by: \.domain).values.allSatisfy { $0.count <= 5 })
            #expect(Set(all.map { "\($0.domain) \($0.name)" }).count == all.count)
        }
    }

    @Test("keeps the newest of very many that are stored at once")
    func manyAtOnce() {
        let jar = CookieJar()
        let cookies = (0..<8000).compactMap { Cookie("c\($0)=1", from: site, at: start) }

        jar.store(cookies + cookies.prefix(1), from: site, at: start)

        #expect(jar.cookies.map(\.name) == ["c0"] + (7821..<8000).map { "c\($0)" })
    }

    @Test("refuses a secure cookie over http")
    func secureOverHTTP() {
        let jar = CookieJar()
        let cookie = Cookie("a=1; Secure", from: site, at: start)

        jar.store([cookie].compactMap(\.self), from: "http://www.a.example/", at: start)

        #expect(jar.cookies.isEmpty)
    }

    @Test("removes all cookies, or those that match")
    func removes() {
        let jar = CookieJar()
        store("a=1", "b=1", "c=1", in: jar)

        jar.removeAll { $0.name == "b" }
        #expect(jar.cookies.map(\.name) == ["a", "c"])
        jar.removeAll()
        #expect(jar.cookies.isEmpty)
        #expect("\(jar)" == "CookieJar(0 cookies)")
    }

    @Test("is restored from a snapshot, without session cookies unless asked for")
    func snapshots() throws {
        let jar = CookieJar()
        store("a=s3cret; Max-Age=60; Secure; HttpOnly", "b=2; Domain=a.example", in: jar)

        let encoded = try JSONEncoder().encode(jar.snapshot())
        let back = CookieJar(try JSONDecoder().decode(CookieJar.Snapshot.self, from: encoded))
        let whole = CookieJar(jar.snapshot(includingSession: true))

        #expect(back.cookies == Array(jar.cookies.prefix(1)))
        #expect(whole.cookies == jar.cookies)
        #expect("\(jar.snapshot())" == "Snapshot(1 cookies)")
        var dumped = ""
        dump(jar.snapshot(), to: &dumped)
        dump(jar, to: &dumped)
        #expect(!dumped.contains("s3cret"))
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

        #expect(jar.cookies.isEmpty)
    }
}
