import Expectations
import InterceptorKit
import TestSupport
import Testing

@Suite("Backoff")
struct BackoffTests {
    @Test("doubles the upper bound from the base up to the cap")
    func doubling() {
        let backoff = Backoff(base: .milliseconds(50), cap: .seconds(1), jitter: .none)

        let delays = (1...7).map { backoff.delay(after: $0, fraction: 0) }

        expectEqual(delays, [50, 100, 200, 400, 800, 1000, 1000].map { .milliseconds($0) })
    }

    @Test("grows by another factor if given one")
    func growth() {
        let backoff = Backoff(base: .milliseconds(100), growth: 1.5, jitter: .none)

        let delays = (1...3).map { backoff.delay(after: $0, fraction: 0) }

        expectEqual(delays, [100, 150, 225].map { .milliseconds($0) })
    }

    @Test("spreads over the full span, or over its upper half with equal jitter")
    func jitter() {
        let full = Backoff(base: .seconds(1), jitter: .full)
        let equal = Backoff(base: .seconds(1), jitter: .equal)

        expectEqual(full.delay(after: 1, fraction: 0), .zero)
        expectEqual(full.delay(after: 1, fraction: 0.75), .milliseconds(750))
        expectEqual(equal.delay(after: 1, fraction: 0), .milliseconds(500))
        expectEqual(equal.delay(after: 1, fraction: 0.5), .milliseconds(750))
    }

    @Test("spreads between two fractions of the upper bound")
    func within() {
        let backoff = Backoff(base: .seconds(1), jitter: .within(0.8...1.2))

        expectEqual(backoff.delay(after: 1, fraction: 0), .milliseconds(800))
        expectEqual(backoff.delay(after: 2, fraction: 0.5), .seconds(2))
    }

    @Test("spreads from the base to thrice the previous wait when decorrelated")
    func decorrelated() {
        let backoff = Backoff(base: .seconds(1), cap: .seconds(10), jitter: .decorrelated)

        expectEqual(backoff.delay(after: 1, fraction: 0), .seconds(1))
        expectEqual(backoff.delay(after: 1, fraction: 0.5), .seconds(2))
        expectEqual(backoff.delay(after: 9, fraction: 0, previous: .seconds(2)), .seconds(1))
        expectEqual(backoff.delay(after: 2, fraction: 0.5, previous: .seconds(3)), .seconds(5))
        expectEqual(backoff.delay(after: 2, fraction: 1, previous: .seconds(9)), .seconds(10))
    }

    @Test(
        "stays at the cap however many failures there were",
        arguments: [64, 1000, 5000, Int.max]
    )
    func overflow(failures: Int) {
        let backoff = Backoff(jitter: .none)

        expectEqual(backoff.delay(after: failures, fraction: 1), .seconds(20))
    }

    @Test("stays within bounds for zero or negative failure counts", arguments: [0, -1, Int.min])
    func odd(failures: Int) {
        expectEqual(Backoff(jitter: .none).delay(after: failures, fraction: 1), .milliseconds(50))
    }

    @Test("clamps a random fraction that is NaN or out of range")
    func oddFractions() {
        let backoff = Backoff(base: .seconds(1))

        let delays = [Double.nan, -1, -.infinity, 2, .infinity]
            .map { backoff.delay(after: 1, fraction: $0) }

        expectEqual(delays, [.zero, .zero, .zero, .seconds(1), .seconds(1)])
    }

    @Test(
        "treats a growth factor of NaN or below one as one",
        arguments: [(Double.nan, 1), (-3, 1), (0.5, 1), (.infinity, 1), (1, 1), (1e300, 20)]
    )
    func oddGrowth(growth: Double, seconds: Int) {
        let backoff = Backoff(base: .seconds(1), growth: growth, jitter: .none)

        expectEqual(backoff.delay(after: 3, fraction: 0), .seconds(seconds))
    }

    @Test("is at most a century, even if the cap is longer")
    func century() {
        let backoff = Backoff(base: .seconds(Int64.max), cap: .seconds(Int64.max), jitter: .none)

        expectEqual(backoff.delay(after: 1, fraction: 1), .seconds(100 * 365 * 86_400))
    }

    @Test("is never negative and stays bounded, for any base, cap and jitter")
    func oddLengths() {
        let century = Duration.seconds(100 * 365 * 86_400)
        let odd: [Duration] = [
            .zero, .seconds(-1), .nanoseconds(1), .seconds(Int64.max), .seconds(Int64.min),
        ]
        let jitters: [Backoff.Jitter] = [
            .full, .equal, .decorrelated, .none, .within(-1...1), .within(0...Double.infinity),
        ]

        for base in odd {
            for cap in odd {
                for jitter in jitters {
                    let backoff = Backoff(base: base, cap: cap, jitter: jitter)
                    let delays = [1, 40, Int.max].map {
                        backoff.delay(after: $0, fraction: 0.9, previous: base)
                    }

                    expectTrue(delays.allSatisfy { $0 >= .zero && $0 <= century * 100 })
                }
            }
        }
    }
}
