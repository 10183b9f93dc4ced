import Expectations
import InterceptorKitTesting
import Testing

@Suite struct SeededGeneratorTests {
    @Test("draws the numbers of SplitMix64's reference implementation")
    func reference() {
        var generator = SeededGenerator(seed: 1_234_567)

        let drawn = (0..<3).map { _ in generator.next() }

        expectEqual(
            drawn,
            [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
            ]
        )
    }
}
