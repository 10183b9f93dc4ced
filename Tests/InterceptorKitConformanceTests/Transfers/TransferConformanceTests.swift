import ConformanceReference
import InterceptorKit
import InterceptorKitConformance
import TestRun
import Testing

/// The name that the documentation gives to a reader's transport.
private typealias MyTransport = ReferenceTransport

@Suite("TransferConformance", .tags(.sockets), .serializedAcrossSuites, .timeLimit(.minutes(10)))
struct TransferConformanceTests {
    @Test("a correct transport passes every requirement, each listed once")
    func correct() async {
        let report = await TransportConformance.runTransfers(against: "MyTransport") {
            MyTransport()
        }
        print(report)
        #expect(report.isConformant)
        #expect(Set(report.results.map(\.requirement)).count == report.results.count)
        #expect(
            report.summary
                == "conformance transfers MyTransport: \(report.results.count) passed, 0 failed, 0 skipped"
        )
    }
}
