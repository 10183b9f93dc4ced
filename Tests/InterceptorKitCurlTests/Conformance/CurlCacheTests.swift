import ConformanceVectors
import InterceptorKit
import InterceptorKitCurl
import Testing

@Suite("The published cache tests over libcurl", .timeLimit(.minutes(3)))
struct CurlCacheTests {
    @Test(
        "say without a cache what the original engine says without one",
        .enabled("the vectors are not beside the package and INTERCEPTORKIT_VECTORS names no place")
        {
            try CacheTest.all() != nil
        }
    )
    func noCache() async throws {
        let tests = try #require(try CacheTest.all())
        let original = try CacheTest.publishedResults("local-node20-no-cache-baseline")
        let transport = try CurlTransport()

        let report = try await CacheTestReport(tests) { test in
            try await test.verdict(over: transport, through: [])
        }

        let passed = report.passed.filter { original[$0] != nil }
        let wanted = tests.filter { $0.exclusion == nil && original[$0.id] == true }.map(\.id)
        #expect(passed.sorted() == wanted.sorted())
        #expect(wanted.count > 100)
    }
}
