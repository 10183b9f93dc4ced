import Expectations
import InterceptorKit
import TestSupport
import Testing

@testable import InterceptorKitCore

@Suite("TokenBucket")
struct TokenBucketTests {
    private static func bucket(_ calls: Int? = 2, burst: Int = 2) -> TokenBucket {
        var policy = RateLimitPolicy(calls: 2, burst: burst)
        policy.calls = calls
        return TokenBucket(policy: policy)
    }

    @Test("takes tokens at the times that it predicts")
    func foretelling() {
        var bucket = Self.bucket()
        var taken = [at(0)]
        for _ in 0..<5 {
            let start = bucket.start(of: 1, at: taken[taken.count - 1])
            expectEqual(bucket.take(at: start), true)
            taken.append(start)
        }

        expectEqual(taken.dropFirst(), [at(0), at(0), at(0.5), at(1), at(1.5)])
        expectEqual(bucket.take(at: at(1.5)), false)
    }

    @Test("has a whole burst again after a quiet time, and no more")
    func refilling() {
        var bucket = Self.bucket()
        for _ in 0..<2 { _ = bucket.take(at: at(0)) }

        let taken = (0..<3).map { _ in bucket.take(at: at(100)) }

        expectEqual(taken, [true, true, false])
    }

    @Test("never starts more in any period than the rate and a burst")
    func bound() {
        for seed in UInt64(0)..<200 {
            var random = SplitMix64(seed: seed)
            var bucket = Self.bucket(4, burst: 3)
            var begun: [Double] = []
            var now = 0.0
            for _ in 0..<60 {
                now += Double(random.next() % 400) / 1000
                let permits = Int(random.next() % 3) + 1
                if bucket.take(permits, at: at(now)) {
                    begun += Array(repeating: now, count: permits)
                }
            }
            let isBounded = begun.indices.allSatisfy { first in
                begun.indices[first...].allSatisfy { last in
                    Double(last - first + 1) <= 3.000_001 + (begun[last] - begun[first]) * 4
                }
            }
            expectTrue(isBounded)
        }
    }

    /// The cases of resilience4j's `RateLimitersImplementationTest`, and of .NET's `TokenBucketRateLimiter`.
    @Test(
        "gives several permits to one call, all or none",
        arguments: [
            [(0, 5, true), (0, 5, true), (0, 1, false), (1, 1, true)],
            [(0, 1, true), (0, 5, true), (0, 5, false), (0, 4, true), (1, 5, true)],
            [(0, 10, true), (0.9, 10, false), (1, 10, true)],
            [(0, 11, false), (1000, 11, false), (1000, 10, true)],
            [(0, .max, false), (0, 1, true)],
            // Those refused take nothing.
            [(0, 8, true), (0, 3, false), (0, 3, false), (0, 2, true), (0.3, 3, true)],
        ] as [[(Double, Int, Bool)]]
    )
    func severalPermits(steps: [(Double, Int, Bool)]) {
        var bucket = TokenBucket(policy: RateLimitPolicy(calls: 10))

        for (time, permits, expected) in steps {
            let start = bucket.start(of: permits, at: at(time))
            expectEqual(bucket.take(permits, at: at(time)), expected)
            if permits <= 10 { expectEqual(start <= at(time), expected) }
        }
    }

    @Test("uses no more of a server's quota than remains for several permits")
    func quotaOfSeveral() {
        var bucket = Self.bucket(nil)
        bucket.follow(.quota(remaining: 5, resetsIn: .seconds(7)), at: at(0))

        let taken = [3, 3, 2, 1].map { bucket.take($0, at: at(1)) }

        expectEqual(taken, [true, false, true, false])
        expectEqual(bucket.start(of: 9, at: at(1)), at(7))
        expectTrue(bucket.take(1_000_000_000, at: at(7)))
    }

    @Test("has no limit without a rate, until the server asks for a pause")
    func noRate() {
        var bucket = Self.bucket(nil, burst: 1)
        let taken = (0..<1000).allSatisfy { _ in bucket.take(at: at(0)) }

        bucket.follow(.pause(.seconds(7)), at: at(1))

        expectTrue(taken)
        expectEqual(bucket.take(at: at(1)), false)
        expectEqual(bucket.start(of: 1, at: at(1)), at(8))
        expectEqual(bucket.start(of: 100, at: at(1)), at(8))
        expectEqual(bucket.take(at: at(8)), true)
    }

    @Test("has no limit without a rate, also for a slightly earlier clock")
    func earlierClock() {
        var bucket = Self.bucket(nil)
        _ = bucket.take(at: at(2))

        expectEqual(bucket.take(at: at(1)), true)
    }

    @Test("spaces calls out after a pause too")
    func pause() {
        var bucket = Self.bucket()

        bucket.follow(.pause(.seconds(10)), at: at(0))

        let starts = (1...4).map { bucket.start(of: $0, at: at(0)) }
        expectEqual(starts, [at(10), at(10), at(10.5), at(11)])
    }

    @Test("keeps the longer of two pauses, up to a minute")
    func pauses() {
        var bucket = Self.bucket()

        bucket.follow(.pause(.seconds(10)), at: at(0))
        bucket.follow(.pause(.seconds(3)), at: at(0))
        expectEqual(bucket.start(of: 1, at: at(0)), at(10))

        bucket.follow(.pause(.seconds(86_400)), at: at(0))
        expectEqual(bucket.start(of: 1, at: at(0)), at(60))
    }

    @Test("uses no more than the remaining quota until it is reset")
    func quota() {
        var bucket = Self.bucket(nil)
        bucket.follow(.quota(remaining: 2, resetsIn: .seconds(7)), at: at(0))

        expectEqual((1...3).map { bucket.start(of: $0, at: at(1)) }, [at(1), at(1), at(7)])
        expectEqual((0..<3).map { _ in bucket.take(at: at(1)) }, [true, true, false])
        expectTrue((0..<9).allSatisfy { _ in bucket.take(at: at(7)) })
    }

    @Test("keeps the smaller quota of a window, and the newer one of the next")
    func quotas() {
        var bucket = Self.bucket(nil)
        bucket.follow(.quota(remaining: 5, resetsIn: .seconds(10)), at: at(0))
        for _ in 0..<4 { _ = bucket.take(at: at(0)) }

        // A response to the first of them, which was counted before the others were.
        bucket.follow(.quota(remaining: 4, resetsIn: .seconds(10)), at: at(0.5))
        expectEqual(bucket.start(of: 2, at: at(1)), at(10.5))

        bucket.follow(.quota(remaining: 5, resetsIn: .seconds(10)), at: at(9))
        expectEqual(bucket.start(of: 5, at: at(9)), at(9))
    }

    @Test("keeps the later of two resets reported within one window")
    func ends() {
        var bucket = Self.bucket(nil)
        bucket.follow(.quota(remaining: 5, resetsIn: .seconds(10)), at: at(0))

        bucket.follow(.quota(remaining: 1, resetsIn: .seconds(4)), at: at(0))
        _ = bucket.take(at: at(0))

        expectEqual(bucket.start(of: 1, at: at(5)), at(10))
    }

    @Test("pauses when no quota remains", arguments: [0, -1, Int.min])
    func nothingLeft(remaining: Int) {
        var bucket = Self.bucket()

        bucket.follow(.quota(remaining: remaining, resetsIn: .seconds(7)), at: at(1))

        expectEqual(bucket.start(of: 1, at: at(1)), at(8))
    }

    @Test("stays usable after rate hints with negative or huge values")
    func odd() {
        var bucket = Self.bucket()

        bucket.follow(.pause(.seconds(-5)), at: at(1))
        bucket.follow(.quota(remaining: .max, resetsIn: .seconds(-5)), at: at(1))
        bucket.follow(.quota(remaining: .max, resetsIn: .seconds(Int64.max)), at: at(1))

        expectEqual(bucket.take(at: at(1)), true)
        expectTrue(bucket.start(of: .max, at: at(1)) > at(1))
    }
}
