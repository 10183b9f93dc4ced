import InterceptorKit
import Testing

@testable import InterceptorKitTesting

@Suite("TransferConformance", .timeLimit(.minutes(2)))
struct TransferConformanceTests {
    @Test("a correct transport carries every transfer, none of them twice")
    func correct() async {
        let report = await TransferConformance.run(against: "reference") { ReferenceTransport() }

        #expect(report.isConformant, "\(report)")
        #expect(Set(report.results.map(\.behaviour)).count == report.results.count)
        #expect(
            report.summary
                == "conformance transfers reference: \(report.results.count) passed, 0 failed, 0 skipped"
        )
    }

    @Test(
        "transports broken in ways that spoil files are found out",
        arguments: [
            ("takes a cut for the end", .takesAnyEndForTheBodysEnd),
            ("ignores cancellation of readers", .ignoresCancellationOfReaders),
            ("keeps connections open", .keepsConnectionsOpen),
            ("stops after a failure", .stopsAfterFailure),
        ] as [(String, Flaw)]
    )
    func broken(name: String, flaw: Flaw) async {
        let report = await TransferConformance.run(against: name, timeLimit: .seconds(5)) {
            ReferenceTransport([flaw])
        }

        // What ends too early is seen by its length, and asked for again.
        #expect(report.isConformant == (flaw == .takesAnyEndForTheBodysEnd), "\(report)")
    }
}
