import Expectations
import InterceptorKit
import TestSupport
import Testing

@testable import InterceptorKitCore

@Suite("SplitMix64")
struct SplitMix64Tests {
    @Test("draws the same numbers as the reference implementation")
    func drawn() {
        var generator = SplitMix64(seed: 1_234_567)

        let drawn = (0..<5).map { _ in generator.next() }

        // The numbers that implementations of the algorithm are compared by.
        expectEqual(
            drawn,
            [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
                4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
            ]
        )
    }
}
