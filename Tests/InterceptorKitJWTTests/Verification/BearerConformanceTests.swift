#if JWT
import ConformanceVectors
import Expectations
import TestRun
import Testing

@Suite("Bearer conformance", .tags(.vectors))
struct BearerConformanceTests {
    @Test("answers each request as RFC 6750, 8705, 8725, 9068, 9449 and 9470 say")
    func answers() async throws {
        var conformance = Conformance("bearer")
        for row in BearerCases.all {
            let answer = try await row.answered(in: BearerWorld())
            conformance.note(answer == row.answer, "\(row.name): \(answer)")
        }

        print(conformance.summary)
        expectTrue(conformance.failures.isEmpty, "\(conformance.failures.prefix(20))")
    }
}
#endif
