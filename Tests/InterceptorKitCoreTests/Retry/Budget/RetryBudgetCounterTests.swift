import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@testable import InterceptorKitCore

@Suite("RetryBudgetCounter")
struct RetryBudgetCounterTests {
    @Test("allows the whole of what fractions add up to, despite rounding")
    func fractions() {
        let counter = RetryBudgetCounter(tokens: 0)

        for _ in 0..<100 { counter.pay(0.29, reserve: 1000, trafficShare: 0) }

        expectEqual((0..<100).count { _ in counter.take(1) }, 29)
    }

    @Test("lets traffic count less with time, and survives a late clock")
    func traffic() {
        let counter = RetryBudgetCounter(tokens: 0)
        for _ in 0..<100 { counter.countCall(at: .seconds(10)) }
        counter.countCall(at: .seconds(5))

        for _ in 0..<1000 { counter.pay(1, reserve: 0, trafficShare: 1) }
        let busy = counter.tokens
        _ = counter.take(busy)
        counter.countCall(at: .seconds(100))
        for _ in 0..<1000 { counter.pay(1, reserve: 0, trafficShare: 1) }

        expectTrue(abs(busy - 101) < 1e-9)
        expectTrue((10...12).contains(counter.tokens))
    }

    @Test("owes no more than it is allowed to, and keeps what it had")
    func debt() {
        let counter = RetryBudgetCounter(tokens: 5)

        counter.charge(3, owing: 3)
        let left = counter.tokens
        for _ in 0..<10 { counter.charge(3, owing: 3) }

        expectEqual(left, 2)
        expectEqual(counter.tokens, -3)
        expectTrue(!counter.has(0))
    }

    @Test("never pays out more than it was paid, in any order", arguments: 0..<20)
    func anyOrder(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let counter = RetryBudgetCounter(tokens: 3)
        var paid = 3
        var taken = 0
        for second in 0..<500 {
            counter.countCall(at: .seconds(second))
            if Bool.random(using: &random) {
                counter.pay(1, reserve: 3, trafficShare: 0.1)
                paid += 1
            }
            if counter.take(1) { taken += 1 }
        }

        expectTrue(taken <= paid)
        expectTrue(taken > 150)
    }
}
