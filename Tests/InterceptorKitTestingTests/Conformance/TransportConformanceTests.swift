import ConformanceReference
import InterceptorKit
import TestRun
import Testing

@testable import InterceptorKitConformance

/// The name that the documentation gives to a reader's transport.
private typealias MyTransport = ReferenceTransport

@Suite("TransportConformance", .tags(.sockets), .serializedAcrossSuites, .timeLimit(.minutes(10)))
struct TransportConformanceTests {
    @Test("a correct transport passes every requirement, each listed once")
    func correct() async {
        let report = await TransportConformance.run(against: "MyTransport") { MyTransport() }
        print(report)
        #expect(report.isConformant)
        #expect(report.skipped.isEmpty)
        #expect(report.results.count >= 80)
        #expect(Set(report.results.map(\.requirement)).count == report.results.count)
        #expect(report.description.hasSuffix(report.summary))
    }

    @Test("runs one requirement by its name")
    func single() async {
        let found = await TransportConformance.check("sends PUT as it is") { ReferenceTransport() }
        let missing = await TransportConformance.check("sends PUT twice") { ReferenceTransport() }

        #expect(found == .passed)
        #expect(missing == .failed("There is no requirement of this name."))
    }
}
