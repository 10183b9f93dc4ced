import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("RetryBudgetCounter")
struct RetryBudgetCounterTests {
    @Test("forgets first attempts after its lifetime")
    func lifetime() {
        let budget = RetryBudget(ratio: 1, floorPerSecond: 0, lifetime: .seconds(1))
        budget.recordFirstAttempt(to: "a", at: .origin)

        #expect(budget.balance(of: "a", at: .origin) == 1)
        #expect(!budget.allows("a", at: .seconds(3)))
    }

    @Test("counts first attempts of the slots within its lifetime, and no others")
    func slots() {
        let budget = RetryBudget(ratio: 1, floorPerSecond: 0)
        for second in 0..<20 { budget.recordFirstAttempt(to: "a", at: .seconds(second)) }

        #expect(budget.balance(of: "a", at: .seconds(19)) == 10)
        #expect(budget.balance(of: "a", at: .seconds(24)) == 5)
        #expect(budget.balance(of: "a", at: .seconds(1000)) == 0)
    }

    @Test("allows the whole share of its ratio despite rounding")
    func fractions() {
        let budget = RetryBudget(ratio: 0.29, floorPerSecond: 0)
        for _ in 0..<100 { budget.recordFirstAttempt(to: "a", at: .origin) }

        let allowed = (0..<100).count { _ in budget.allows("a", at: .origin) }

        #expect(allowed == 29)
    }

    @Test("allows in any ten seconds no more than their share and the floor", arguments: 0..<20)
    func anyWindow(seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        let budget = RetryBudget()
        var first: [Duration] = []
        var further: [Duration] = []
        var now = Duration.zero
        while now < .seconds(60) {
            now += .milliseconds(Int64.random(in: 0...300, using: &chance))
            if Bool.random(using: &chance) {
                budget.recordFirstAttempt(to: "a", at: .init(offset: now))
                first.append(now)
            }
            let tries = Int.random(in: 0...40, using: &chance)
            for _ in 0..<tries where budget.allows("a", at: .init(offset: now)) {
                further.append(now)
            }
        }

        for end in further {
            let window = (end - .seconds(10) + .nanoseconds(1))...end
            let earned = Double(first.count { window.contains($0) }) * 0.2
            #expect(Double(further.count { window.contains($0) }) <= 10 + earned + 1e-6)
        }
        #expect(further.count > 60)
    }

    @Test("doesn't trap if the end of a slot is rounded down into it")
    func rounding() {
        // Eleven of its slots divided by one come to a little less than eleven.
        let slot = Duration(secondsComponent: 0, attosecondsComponent: 123_456_789_012_345_678)
        let budget = RetryBudget(ratio: 1, floorPerSecond: 0, lifetime: slot * 10)

        for count in [10, 11] {
            budget.recordFirstAttempt(to: "a", at: Runtime.Instant(offset: slot * count))
        }

        #expect(budget.balance(of: "a", at: Runtime.Instant(offset: slot * 11)) == 2)
    }
}
