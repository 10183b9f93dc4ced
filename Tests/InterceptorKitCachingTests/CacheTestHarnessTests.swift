import ConformanceVectors
import Expectations
import InterceptorKit
import InterceptorKitCaching
import InterceptorKitTesting
import TestRun
import TestSupport
import Testing

@Suite("The published cache tests without a cache")
struct CacheTestHarnessTests {
    @Test(
        "have the results of the original engine",
        .tags(.vectors),
        .vectors("cache-tests/results/local-node20-no-cache-baseline.json")
    )
    func noCache() async throws {
        let tests = try unwrap(CacheTest.all())
        let original = try CacheTest.publishedResults("local-node20-no-cache-baseline")

        let report = try await CacheTestReport(tests) { test in
            try await result(on: test, through: [])
        }

        let passed = report.passed.filter { original[$0] != nil }
        let wanted = tests.filter { $0.exclusion == nil && original[$0.id] == true }.map(\.id)
        expectEqual(passed.sorted(), wanted.sorted())
        expectTrue(wanted.count > 100)
    }
}

/// Tries a case in a simulation of its own, after which nothing may be left.
func result(
    on test: CacheTest,
    through interceptors: [any Interceptor<HTTP.Request>]
) async throws -> CacheTest.TestResult {
    try await onEverySeed(0..<1) { simulation in
        try await test.result(in: simulation, through: interceptors)
    }
}
