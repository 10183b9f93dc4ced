import InterceptorKitTesting
import InterceptorKitTestingSharedState
import Testing

@Suite("StoreConformance")
struct StoreConformanceTests {
    private struct NoServer: Error {}

    @Test("reports a store that cannot be made as its one failure")
    func failing() async {
        let report = await StoreConformance.run(against: "none") { throw NoServer() }

        #expect(report.summary == "conformance stores none: 0 passed, 1 failed, 0 skipped")
    }
}
