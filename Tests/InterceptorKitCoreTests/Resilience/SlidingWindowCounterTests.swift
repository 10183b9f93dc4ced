import Expectations
import InterceptorKit
import TestSupport
import Testing

@testable import InterceptorKitCore

@Suite("SlidingWindowCounter")
struct SlidingWindowCounterTests {
    private let call = SlidingWindowCounter.Count(calls: 1)
    private let failure = SlidingWindowCounter.Count(calls: 1, failures: 1)

    @Test("counts calls younger than the window, and not those of its age")
    func window() {
        var counter = SlidingWindowCounter(window: .seconds(10))
        counter.add(failure, at: at(0))
        counter.add(call, at: at(5))

        expectEqual(counter.count(at: at(5)).calls, 2)
        expectEqual(counter.count(at: at(9.9)), SlidingWindowCounter.Count(calls: 2, failures: 1))
        expectEqual(counter.count(at: at(10)), SlidingWindowCounter.Count(calls: 1))
        expectEqual(counter.count(at: at(15)), SlidingWindowCounter.Count())
    }

    @Test("is empty after a long silence", arguments: [20, 1e6, 1e12])
    func silence(seconds: Double) {
        var counter = SlidingWindowCounter(window: .seconds(10))
        for second in 0..<10 { counter.add(failure, at: at(Double(second))) }

        expectEqual(counter.count(at: at(9)).failures, 10)
        expectEqual(counter.count(at: at(seconds)), SlidingWindowCounter.Count())

        counter.add(call, at: at(seconds))

        expectEqual(counter.count(at: at(seconds)).calls, 1)
    }

    @Test("counts a late report at the latest time")
    func late() {
        var counter = SlidingWindowCounter(window: .seconds(10))
        counter.add(call, at: at(20))

        counter.add(call, at: at(3))

        expectEqual(counter.count(at: at(3)).calls, 2)
        expectEqual(counter.count(at: at(29)).calls, 2)
    }

    @Test("is not changed by reading it")
    func looking() {
        var counter = SlidingWindowCounter(window: .seconds(10))
        counter.add(call, at: at(0))

        expectEqual(counter.peekedCount(at: at(1000)).calls, 0)
        expectEqual(counter.count(at: at(1)).calls, 1)
    }

    @Test("agrees with a list of all calls to within a slot, at any times")
    func model() {
        var random = SplitMix64(seed: 1)
        for _ in 0..<200 {
            var counter = SlidingWindowCounter(window: .seconds(10))
            var times: [Double] = []
            var now = 0.0
            for _ in 0..<100 {
                now += Double(random.next() % 3000) / 1000
                times.append(now)
                counter.add(call, at: at(now))
                let count = counter.count(at: at(now)).calls

                expectTrue(count <= times.count { $0 > now - 10 })
                expectTrue(count >= times.count { $0 > now - 9 })
            }
        }
    }
}

func at(_ seconds: Double) -> Runtime.Instant { Runtime.Instant(offset: .seconds(seconds)) }
