import Expectations
import TestRun
import Testing

@testable import InterceptorKitConformance

@Suite(
    "TransportConformance.Behaviour",
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct RequirementTests {
    @Test("reports a requirement that hangs as failed, by its name")
    func hangs() async {
        let report = await report([.hanging, .fine])
        TransportConformance.Requirement.endHanging()

        expectEqual(report.failures, ["hangs"])
        expectTrue(report.description.contains("hangs: It did not end within 0.1 s."))
    }

    @Test("fails every requirement when no transport can be created")
    func noTransport() async {
        let report = await TransportConformance.run(against: "none") {
            throw ExpectationFailure("None is left.")
        }

        expectEqual(report.failures.count, report.results.count)
        expectTrue(report.description.contains("None is left."))
    }
}
