import InterceptorKit
import TestSupport
import Testing

@testable import InterceptorKitCore

@Suite("LatencyHistogram")
struct LatencyHistogramTests {
    @Test(
        "computes percentiles to within one part in sixteen",
        arguments: [0.01, 0.5, 0.9, 0.99, 1]
    )
    func percentiles(share: Double) throws {
        var random = SplitMix64(seed: 3)
        var histogram = LatencyHistogram()
        var all: [Double] = []
        for _ in 0..<5000 {
            // From microseconds to minutes, evenly over the orders of magnitude.
            let microseconds = 2 << (random.next() % 26) + random.next() % 97
            all.append(Double(microseconds) / 1e6)
            histogram.add(.microseconds(microseconds))
        }
        all.sort()
        let exact = all[max(1, Int((share * 5000).rounded(.up))) - 1]

        let told = try #require(histogram.percentile(share)).inSeconds

        #expect(abs(told - exact) <= exact / 16 + 0.000_001)
    }

    @Test("clamps negative and huge durations to its range")
    func odd() throws {
        var histogram = LatencyHistogram()
        histogram.add(.seconds(-1))
        histogram.add(.zero)
        histogram.add(.seconds(Int64.max))

        #expect(histogram.percentile(0) == .zero)
        #expect(try #require(histogram.percentile(1)) > .seconds(3000))
    }

    @Test("has no percentile without calls")
    func empty() {
        var histogram = LatencyHistogram()
        #expect(histogram.percentile(0.5) == nil)
        histogram.add(.seconds(1))
        histogram.removeAll()

        #expect(histogram.percentile(0.5) == nil)
        #expect(histogram.count == 0)
    }
}
