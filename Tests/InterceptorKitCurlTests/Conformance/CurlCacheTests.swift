import ConformanceVectors
import Expectations
import Foundation
import InterceptorKit
import InterceptorKitCaching
import InterceptorKitCurl
import TestRun
import Testing

@Suite(
    "The published cache tests over libcurl",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct CurlCacheTests {
    @Test(
        "pass without a cache where the original engine passes without one",
        .tags(.vectors),
        .vectors("cache-tests/results/local-node20-no-cache-baseline.json")
    )
    func noCache() async throws {
        let tests = try unwrap(CacheTest.all())
        let original = try CacheTest.publishedResults("local-node20-no-cache-baseline")
        let transport = try CurlTransport()

        let report = try await CacheTestReport(tests) { test in
            try await test.result(over: transport, through: [])
        }

        let passed = report.passed.filter { original[$0] != nil }
        let wanted = tests.filter { $0.exclusion == nil && original[$0.id] == true }.map(\.id)
        expectEqual(passed.sorted(), wanted.sorted())
        expectTrue(wanted.count > 100)
    }

    @Test(
        "give the offline results over connections, from memory and from disk",
        .tags(.vectors),
        .vectors("cache-tests"),
        arguments: ["curl", "curl and disk"]
    )
    func cache(way: String) async throws {
        let tests = try unwrap(CacheTest.all())
        let transport = try CurlTransport()
        let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }

        let report = try await CacheTestReport(tests) { test in
            let place = folder.appending(path: test.id).path
            let store: any CacheStore = way == "curl" ? MemoryCacheStore() : DiskCacheStore(place)
            let cache = CacheInterceptor(
                store: store,
                policy: CachePolicy(scope: test.scope),
                partition: .oneIdentity
            )
            return try await test.result(over: transport, through: [cache])
        }

        print(report.summary(of: .required, over: way))
        print(report.summary(of: .optimal, over: way))
        let refused = [
            "headers-store-Transfer-Encoding":
                "a body in a transfer coding that libcurl does not know cannot be read"
        ]
        let departures = CacheTest.departures.merging(refused) { first, _ in first }
        expectEqual(report.surprises(beside: departures), [])
    }
}
