import InterceptorKit
import InterceptorKitConcurrency
import Synchronization
import TestRun
import Testing

@testable import InterceptorKitTesting

@Suite(
    "TransportConformance.Report",
    .tags(.sockets, .process),
    .serializedAcrossSuites,
    .timeLimit(.minutes(1))
)
struct ReportTests {
    private typealias Behaviour = TransportConformance.Behaviour

    private static let fine = Behaviour("is fine") { _ in }
    private static let broken = Behaviour("is broken") { _ in throw Unmet("It broke.") }
    private static let hanging = Behaviour("hangs") { _ in
        await withCheckedContinuation { (never: CheckedContinuation<Void, Never>) in
            Leak.kept.withLock { $0.append(never) }
        }
    }

    private enum Leak {
        static let kept = Lock<[CheckedContinuation<Void, Never>]>([])
    }

    private func report(
        _ behaviours: [TransportConformance.Behaviour],
        excluding exclusions: [TransportConformance.Exclusion] = [],
        inAnotherProcess: (@Sendable (String) async -> TransportConformance.Verdict)? = nil
    ) async -> TransportConformance.Report {
        await TransportConformance.run(
            behaviours,
            as: "transport test",
            excluding: exclusions,
            timeLimit: .milliseconds(100),
            inAnotherProcess: inAnotherProcess
        ) { ReferenceTransport() }
    }

    @Test("lists each behaviour in order and ends with the line that counts them")
    func lists() async {
        let report = await report([Self.fine, Self.broken])

        #expect(
            report.description == """
                passed   is fine
                FAILED   is broken: It broke.
                conformance transport test: 1 passed, 1 failed, 0 skipped
                """
        )
        #expect(!report.isConformant)
    }

    @Test("reports a behaviour that hangs as failed, by its name")
    func hangs() async {
        let report = await report([Self.hanging, Self.fine])
        for waiting in Leak.kept.withLock(\.self) { waiting.resume() }

        #expect(report.failures == ["hangs"])
        #expect(report.description.contains("hangs: It did not end within 0.1 s."))
    }

    @Test("runs an excluded behaviour and says when it passes")
    func excluded() async {
        let exclusions: [TransportConformance.Exclusion] = [
            .limitation("is fine", because: "It was not.", seenOn: "Swift 1"),
            .notYet("is broken", because: "It will be.", seenOn: "Swift 2"),
        ]

        let report = await report([Self.fine, Self.broken], excluding: exclusions)

        #expect(
            report.description == """
                skipped  is fine: limitation (Swift 1): It was not. It passed.
                skipped  is broken: not yet (Swift 2): It will be. Tried: It broke.
                excluded and passes: is fine. Remove the exclusion where this was seen.
                conformance transport test: 0 passed, 0 failed, 2 skipped
                """
        )
        #expect(report.isConformant)
        #expect(report.unexpectedPasses == ["is fine"])
    }

    @Test("runs a behaviour that may crash in another process or not at all")
    func endsProcess() async {
        let exclusions: [TransportConformance.Exclusion] = [
            .endsProcess("is broken", because: "It traps.", seenOn: "Swift 1")
        ]

        let without = await report([Self.broken], excluding: exclusions)
        let with = await report([Self.broken], excluding: exclusions) { _ in .passed }

        #expect(without.description.contains("It traps. Not tried."))
        #expect(with.unexpectedPasses == ["is broken"])
    }

    @Test("fails when an exclusion names no behaviour")
    func idleExclusion() async {
        let report = await report(
            [Self.fine],
            excluding: [.limitation("is fnie", because: "It is misspelt.", seenOn: "Swift 1")]
        )

        #expect(report.failures == ["is fnie"])
    }

    @Test("fails every behaviour when no transport can be created")
    func noTransport() async {
        let report = await TransportConformance.run(against: "none") {
            throw Unmet("None is left.")
        }

        #expect(report.failures.count == report.results.count)
        #expect(report.description.contains("None is left."))
    }

    @Test("runs one behaviour by its name")
    func single() async {
        let found = await TransportConformance.check("sends PUT as it is") { ReferenceTransport() }
        let missing = await TransportConformance.check("sends PUT twice") { ReferenceTransport() }

        #expect(found == .passed)
        #expect(missing == .failed("There is no behaviour of this name."))
    }
}
