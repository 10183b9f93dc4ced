import InterceptorKit
import InterceptorKitTesting
import Testing

@Suite struct ChaosFaultTests {
    private func error(_ faults: [ChaosFault<HTTP.Request>]) -> ChaosError? {
        let base = ScriptedTransport<HTTP.Request>(replies: [])
        do throws(ChaosError) {
            _ = try ChaosTransport(over: base, faults)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "a rate outside 0 to 1 is refused with its position",
        arguments: [-0.1, 1.1, .nan, .infinity]
    )
    func rates(rate: Double) {
        let problem = error([.refused(rate: 0.1), .reset(rate: rate)])

        #expect(problem?.code == .invalidRate)
        #expect(problem?.description.hasPrefix("Fault 2 (reset) has the rate \(rate)") == true)
    }

    @Test("rates of exclusive faults are refused when they add up to more than 1")
    func sum() {
        let problem = error([.refused(rate: 0.5), .reset(rate: 0.5), .status(500, rate: 0.25)])

        #expect(problem?.code == .invalidSum)
        #expect(
            problem?.description.hasPrefix(
                "The rates of refused, reset, status are 1.25 together."
            ) == true
        )
        #expect(error([.refused(rate: 0.7), .reset(rate: 0.2), .malformed(rate: 0.1)]) == nil)
        #expect(error([.refused(rate: 1), .latency(rate: 1, .seconds(1))]) == nil)
    }

    @Test("a negative duration or size is refused with its position")
    func settings() {
        let problems = [
            error([.latency(rate: 0, .seconds(-1))]),
            error([.refused(rate: 0), .slow(rate: 0, every: .seconds(-2))]),
            error([.slow(rate: 0, pieces: 0)]),
            error([.truncated(rate: 0, upTo: -5)]),
        ]

        #expect(problems.allSatisfy { $0?.code == .invalidSetting })
        #expect(
            problems.compactMap { $0?.description } == [
                "Fault 1 (latency) waits -1 s; a wait cannot be negative.",
                "Fault 2 (slow) pauses -2 s; a pause cannot be negative.",
                "Fault 1 (slow) lets pieces of 0 bytes arrive; a piece has at least one.",
                "Fault 1 (truncated) lets -5 bytes arrive; a size cannot be negative.",
            ]
        )
    }
}
