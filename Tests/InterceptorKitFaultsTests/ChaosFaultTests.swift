import Expectations
import InterceptorKit
import InterceptorKitFaults
import InterceptorKitTesting
import Testing

@Suite struct ChaosFaultTests {
    @Test("a negative duration or size is refused with its position")
    func settings() {
        let problems = [
            chaosError([.latency(rate: 0, .seconds(-1))]),
            chaosError([.refused(rate: 0), .slow(rate: 0, every: .seconds(-2))]),
            chaosError([.slow(rate: 0, pieces: 0)]),
            chaosError([.truncated(rate: 0, upTo: -5)]),
        ]

        expectEqual(
            problems.compactMap { $0?.description },
            [
                "Fault 1 (latency).delay is -1 s and must be from zero to 100 years.",
                "Fault 2 (slow).every is -2 s and must be from zero to 100 years.",
                "Fault 1 (slow).pieces is 0 and must be at least 1.",
                "Fault 1 (truncated).upTo is -5 and must be at least 0.",
            ]
        )
    }
}
