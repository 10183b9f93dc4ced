import InterceptorKitSharedState
import InterceptorKitTesting
import InterceptorKitTestingSharedState
import Testing

/// The name that the documentation gives to a reader's store.
private typealias MyIdempotencyStore = MemoryIdempotencyStore

@Suite("StoreConformance", .timeLimit(.minutes(2)))
struct StoreConformanceTests {
    private struct NoServer: Error {}

    @Test("a correct store passes every requirement, each listed once")
    func correct() async {
        let report = await StoreConformance.run(against: "MyStore") {
            StoreConformance.Stores(idempotency: MyIdempotencyStore())
        }
        print(report)
        #expect(report.isConformant)
        #expect(Set(report.results.map(\.requirement)).count == report.results.count)
    }

    @Test("reports a store that cannot be made as its one failure")
    func failing() async {
        let report = await StoreConformance.run(against: "none") { throw NoServer() }

        #expect(report.summary == "conformance stores none: 0 passed, 1 failed, 0 skipped")
    }
}
