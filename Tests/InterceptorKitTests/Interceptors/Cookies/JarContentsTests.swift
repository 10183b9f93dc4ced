import Expectations
import InterceptorKitTesting
import TestRun
import Testing

@testable import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("JarContents", .processorBound)
struct JarContentsTests {
    private let start = Date(timeIntervalSince1970: 1_767_225_600)
    private let site: HTTP.URL = "https://www.a.example/dir/page"

    private func store(
        _ fields: String...,
        in jar: inout JarContents,
        from url: HTTP.URL? = nil,
        after seconds: Double = 0
    ) {
        let date = start.addingTimeInterval(seconds)
        let kept = fields.compactMap { HTTP.Cookie($0, from: url ?? site, at: date) }
        jar.store(kept, isSecureOrigin: true, at: date)
    }

    private func sent(_ jar: inout JarContents, to url: HTTP.URL, after seconds: Double = 0)
        -> [String]
    {
        jar.cookies(for: url, at: start.addingTimeInterval(seconds)).map(\.name)
    }

    @Test("evicts the least recently used cookie of a domain above its limit")
    func perDomain() {
        var jar = JarContents(perDomain: 3, total: 100)
        store("a=1; Path=/a", "b=1; Path=/b", "c=1; Path=/c", in: &jar)
        _ = sent(&jar, to: "https://www.a.example/a")
        store("d=1; Path=/d", in: &jar)
        store("x=1", in: &jar, from: "https://b.example/")

        expectEqual(jar.all.map(\.name), ["a", "c", "d", "x"])
    }

    @Test("is bounded in all, and evicts expired cookies first")
    func total() {
        var jar = JarContents(perDomain: 10, total: 4)
        for index in 0..<4 {
            store(
                "a=1\(index == 2 ? "; Max-Age=1" : "")",
                in: &jar,
                from: HTTP.URL("https://h\(index).example/")
            )
        }
        store("a=1", in: &jar, from: "https://h4.example/", after: 2)
        let afterEnded = jar.all.map(\.domain)
        _ = sent(&jar, to: "https://h0.example/", after: 3)
        store("a=1", "b=1", in: &jar, from: "https://h5.example/", after: 3)

        expectEqual(afterEnded, ["h0.example", "h1.example", "h3.example", "h4.example"])
        expectEqual(
            jar.all.map(\.domain),
            ["h0.example", "h4.example", "h5.example", "h5.example"]
        )
    }

    @Test("stays within its limits and consistent in any order of operations")
    func randomUse() {
        var random = SeededGenerator(seed: 7)
        var jar = JarContents(perDomain: 5, total: 20)
        for step in 0..<5000 {
            let host = Int.random(in: 0..<8, using: &random)
            let name = Int.random(in: 0..<12, using: &random)
            let life = ["", "; Max-Age=0", "; Max-Age=50"].randomElement(using: &random) ?? ""
            let url = HTTP.URL("https://h\(host).example/")
            if Bool.random(using: &random) {
                store("n\(name)=1\(life)", in: &jar, from: url, after: Double(step))
            } else {
                _ = sent(&jar, to: url, after: Double(step))
            }
            let all = jar.all
            expectTrue(all.count <= 20)
            expectTrue(Dictionary(grouping: all, by: \.domain).values.allSatisfy { $0.count <= 5 })
            expectEqual(Set(all.map { "\($0.domain) \($0.name)" }).count, all.count)
        }
    }
}
