import Expectations
import InterceptorKit
import TestRun
import Testing

@testable import InterceptorKitConformance

@Suite(
    "TransportConformance.Requirement and broken transports",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct RequirementMutantTests {
    @Test("every requirement fails for a transport that breaks it")
    func broken() async {
        let names = TransportConformance.requirements.map(\.name)

        let survivors = await survivorsOfMutants()

        expectEqual(survivors, [])
        expectEqual(Set(Mutant.findings.values.joined()), Set(names))
        expectEqual(Set(Mutant.findings.keys), Set(Mutant.all.map(\.name)))
        expectEqual(Set(Mutant.all.map(\.name)).count, Mutant.all.count)
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
                        TransportConformance.requirements.filter { expected.contains($0.name) },
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
