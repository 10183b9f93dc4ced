import ConformanceVectors
import Expectations
import InterceptorKit
import InterceptorKitCaching
import InterceptorKitTesting
import TestRun
import TestSupport
import Testing

@Suite("CacheInterceptor and the published cache tests")
struct CacheConformanceTests {
    private static func report() async throws -> CacheTestReport {
        try await CacheTestReport(try unwrap(CacheTest.all())) { test in
            let cache = CacheInterceptor(
                store: MemoryCacheStore(),
                policy: CachePolicy(scope: test.scope),
                partition: .oneIdentity
            )
            return try await result(on: test, through: [cache])
        }
    }

    @Test(
        "passes all required and optimal tests, but for the documented ones",
        .tags(.vectors),
        .vectors("cache-tests")
    )
    func conformance() async throws {
        let report = try await Self.report()

        print(report.summary(of: .required))
        print(report.summary(of: .optimal))
        print(report.summary(of: .check))
        expectEqual(report.surprises(beside: CacheTest.departures), [])
    }

    @Test(
        "passes what Chrome passes, and more tests than any browser",
        .tags(.vectors),
        .vectors("cache-tests")
    )
    func browsers() async throws {
        let chrome = try CacheTest.publishedResults("chrome")

        let passed = try await Self.report().passed.filter { chrome[$0] != nil }

        var counts = ["InterceptorKit \(passed.count)"]
        for browser in ["chrome", "firefox", "safari"] {
            let results = try CacheTest.publishedResults(browser)
            let count = results.values.count { $0 }
            counts.append("\(browser) \(count)")
            expectTrue(passed.count > count)
        }
        print("cache tests for clients, of \(chrome.count): \(counts.joined(separator: ", "))")
        let lost = chrome.filter { $0.value && !passed.contains($0.key) }.map(\.key)
        expectEqual(lost.sorted(), CacheTest.departuresFromChrome.keys.sorted())
    }
}
