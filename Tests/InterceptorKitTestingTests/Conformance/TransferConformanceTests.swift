import InterceptorKit
import InterceptorKitTestingTransfers
import TestRun
import Testing

@testable import InterceptorKitTesting

@Suite("TransferConformance", .tags(.sockets), .serializedAcrossSuites, .timeLimit(.minutes(2)))
struct TransferConformanceTests {
    @Test("a correct transport passes every behaviour, each listed once")
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
        "a transport with a flaw fails the behaviour that the flaw breaks",
        arguments: [
            (.takesAnyEndForTheBodysEnd, "never goes on from a weak validator, and leaves nothing"),
            (.collectsResponseBodies, "ends a cancelled download at once, and leaves nothing"),
            (
                .ignoresCancellationOfReaders,
                "ends a cancelled download at once, and leaves nothing"
            ),
            (.oneAtATime, "cancels all of a client's transfers and leaves nothing of them"),
        ] as [(Flaw, String)]
    )
    func broken(flaw: Flaw, behaviour: String) async {
        let report = await TransportConformance.run(
            TransferConformance.behaviours.filter { $0.name == behaviour },
            as: "transfers broken",
            timeLimit: .seconds(2)
        ) { ReferenceTransport([flaw]) }

        #expect(report.failures == [behaviour])
    }
}
