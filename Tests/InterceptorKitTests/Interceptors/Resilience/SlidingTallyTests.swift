import TestSupport
import Testing

@testable import InterceptorKit

@Suite("SlidingTally")
struct SlidingTallyTests {
    private let call = SlidingTally.Count(calls: 1)
    private let failure = SlidingTally.Count(calls: 1, failures: 1)

    @Test("counts calls younger than the window, and not those of its age")
    func window() {
        var tally = SlidingTally(window: .seconds(10))
        tally.add(failure, at: at(0))
        tally.add(call, at: at(5))

        #expect(tally.count(at: at(5)).calls == 2)
        #expect(tally.count(at: at(9.9)) == SlidingTally.Count(calls: 2, failures: 1))
        #expect(tally.count(at: at(10)) == SlidingTally.Count(calls: 1))
        #expect(tally.count(at: at(15)) == SlidingTally.Count())
    }

    @Test("is empty after a long silence", arguments: [20, 1e6, 1e12])
    func silence(seconds: Double) {
        var tally = SlidingTally(window: .seconds(10))
        for second in 0..<10 { tally.add(failure, at: at(Double(second))) }

        #expect(tally.count(at: at(9)).failures == 10)
        #expect(tally.count(at: at(seconds)) == SlidingTally.Count())

        tally.add(call, at: at(seconds))

        #expect(tally.count(at: at(seconds)).calls == 1)
    }

    @Test("counts a late report at the latest time")
    func late() {
        var tally = SlidingTally(window: .seconds(10))
        tally.add(call, at: at(20))

        tally.add(call, at: at(3))

        #expect(tally.count(at: at(3)).calls == 2)
        #expect(tally.count(at: at(29)).calls == 2)
    }

    @Test("is not changed by reading it")
    func looking() {
        var tally = SlidingTally(window: .seconds(10))
        tally.add(call, at: at(0))

        #expect(tally.looked(at: at(1000)).calls == 0)
        #expect(tally.count(at: at(1)).calls == 1)
    }

    @Test("agrees with a list of all calls to within a slot, at any times")
    func model() {
        var random = SplitMix64(seed: 1)
        for _ in 0..<200 {
            var tally = SlidingTally(window: .seconds(10))
            var times: [Double] = []
            var now = 0.0
            for _ in 0..<100 {
                now += Double(random.next() % 3000) / 1000
                times.append(now)
                tally.add(call, at: at(now))
                let count = tally.count(at: at(now)).calls

                #expect(count <= times.count { $0 > now - 10 })
                #expect(count >= times.count { $0 > now - 9 })
            }
        }
    }
}

func at(_ seconds: Double) -> Runtime.Instant { Runtime.Instant(offset: .seconds(seconds)) }
