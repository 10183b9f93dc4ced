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

        expectTrue(problems.allSatisfy { $0?.code == .invalidSetting })
        expectEqual(
            problems.compactMap { $0?.description },
            [
                "Fault 1 (latency) waits -1 s; a wait cannot be negative.",
                "Fault 2 (slow) pauses -2 s; a pause cannot be negative.",
                "Fault 1 (slow) lets pieces of 0 bytes arrive; a piece has at least one.",
                "Fault 1 (truncated) lets -5 bytes arrive; a size cannot be negative.",
            ]
        )
    }
}
