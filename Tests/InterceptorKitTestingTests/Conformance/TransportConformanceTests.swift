import InterceptorKit
import TestRun
import Testing

@testable import InterceptorKitTesting

@Suite("TransportConformance", .tags(.sockets), .serializedAcrossSuites, .timeLimit(.minutes(3)))
struct TransportConformanceTests {
    @Test("a correct transport passes every behaviour, each listed once")
    func correct() async {
        let report = await TransportConformance.run(against: "reference") { ReferenceTransport() }

        #expect(report.isConformant, "\(report)")
        #expect(report.skipped.isEmpty)
        #expect(report.results.count >= 80)
        #expect(Set(report.results.map(\.behaviour)).count == report.results.count)
        #expect(report.description.hasSuffix(report.summary))
    }

    @Test("every behaviour fails for a transport that breaks it")
    func broken() async {
        let names = TransportConformance.behaviours.map(\.name)

        let survivors = await survivorsOfMutants()

        #expect(survivors.isEmpty)
        #expect(Set(Mutant.findings.values.joined()) == Set(names))
        #expect(Set(Mutant.findings.keys) == Set(Mutant.all.map(\.name)))
        #expect(Set(Mutant.all.map(\.name)).count == Mutant.all.count)
    }

    // A few at once, since many of them only wait.
    private func survivorsOfMutants() async -> [String] {
        await withTaskGroup(of: [String].self) { group in
            var survivors: [String] = []
            for (index, mutant) in Mutant.all.enumerated() {
                if index >= 12, let more = await group.next() { survivors += more }
                group.addTask {
                    let expected = Set(Mutant.findings[mutant.name] ?? [])
                    let report = await TransportConformance.run(
                        TransportConformance.behaviours.filter { expected.contains($0.name) },
                        as: "mutant",
                        timeLimit: mutant.hangs ? .seconds(1) : .seconds(20),
                        make: mutant.make
                    )
                    return expected.subtracting(report.failures).map { "\(mutant.name): \($0)" }
                }
            }
            for await more in group { survivors += more }
            return survivors
        }
    }
}
