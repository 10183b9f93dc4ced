import Expectations
import InterceptorKit
import TestRun
import Testing

@testable import InterceptorKitConformance

@Suite(
    "TransportConformance.Report",
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct ReportTests {
    @Test("lists each requirement in order, and counts them at the end")
    func lists() async {
        let report = await report([.fine, .broken])

        expectEqual(
            report.description,
            """
            passed   is fine
            FAILED   is broken: It broke.
            conformance transport test: 1 passed, 1 failed, 0 skipped
            """
        )
        expectTrue(!report.isConformant)
    }

    @Test("runs an excluded requirement and says when it passes")
    func excluded() async {
        let exclusions: [TransportConformance.Exclusion] = [
            .limitation("is fine", because: "It was not.", seenOn: "Swift 1"),
            .notYet("is broken", because: "It will be.", seenOn: "Swift 2"),
        ]

        let report = await report([.fine, .broken], excluding: exclusions)

        expectEqual(
            report.description,
            """
            skipped  is fine: limitation (Swift 1): It was not. It passed.
            skipped  is broken: not yet (Swift 2): It will be. Tried: It broke.
            excluded and passes: is fine. Remove the exclusion where this was seen.
            conformance transport test: 0 passed, 0 failed, 2 skipped
            """
        )
        expectTrue(report.isConformant)
        expectEqual(report.unexpectedPasses, ["is fine"])
    }
}
