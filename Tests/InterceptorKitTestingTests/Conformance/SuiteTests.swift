import Expectations
import InterceptorKitConcurrency
import Synchronization
import TestRun
import Testing

@testable import InterceptorKitConformance

@Suite("TransportConformance.Suite", .serializedAcrossSuites, .timeLimit(.minutes(10)))
struct SuiteTests {
    @Test("runs a requirement that may crash in another process or not at all")
    func endsProcess() async {
        let exclusions: [TransportConformance.Exclusion] = [
            .endsProcess("is broken", because: "It traps.", seenOn: "Swift 1")
        ]

        let without = await report([.broken], excluding: exclusions)
        let with = await report([.broken], excluding: exclusions) { _ in .passed }

        expectTrue(without.description.contains("It traps. Not tried."))
        expectEqual(with.unexpectedPasses, ["is broken"])
    }

    @Test("fails when an exclusion names no requirement")
    func idleExclusion() async {
        let report = await report(
            [.fine],
            excluding: [.limitation("is fnie", because: "It is misspelt.", seenOn: "Swift 1")]
        )

        expectEqual(report.failures, ["is fnie"])
    }

    @Test("keeps the order of the requirements, and tries as many at once as told")
    func order() async {
        let underWay = Lock((now: 0, most: 0))
        let requirements = (0..<20).map { number in
            TransportConformance.Requirement("is number \(number)") { _ in
                underWay.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                for _ in 0..<(20 - number) { await Task.yield() }
                underWay.withLock { $0.now -= 1 }
            }
        }

        let report = await report(requirements, concurrency: 3)

        expectEqual(report.results.map(\.requirement), requirements.map(\.name))
        expectTrue(report.failures.isEmpty)
        expectTrue(underWay.withLock(\.most) <= 3)
    }
}
