import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("RetryBudget")
struct RetryBudgetTests {
    @Test("forgets first attempts after its lifetime")
    func lifetime() {
        let budget = RetryBudget(ratio: 1, floorPerSecond: 0, lifetime: .seconds(1))
        budget.noteFirstAttempt(to: "a", at: .origin)

        #expect(budget.balance(of: "a", at: .origin) == 1)
        #expect(!budget.allows("a", at: .seconds(3)))
    }

    @Test("counts first attempts of the slots within its lifetime, and no others")
    func slots() {
        let budget = RetryBudget(ratio: 1, floorPerSecond: 0)
        for second in 0..<20 { budget.noteFirstAttempt(to: "a", at: .seconds(second)) }

        #expect(budget.balance(of: "a", at: .seconds(19)) == 10)
        #expect(budget.balance(of: "a", at: .seconds(24)) == 5)
        #expect(budget.balance(of: "a", at: .seconds(1000)) == 0)
    }

    @Test("allows the retries of its floor without any traffic, and not one more")
    func floor() {
        let budget = RetryBudget(ratio: 0.2, floorPerSecond: 0.5)

        let allowed = (0..<10).map { _ in budget.allows("a", at: .origin) }

        #expect(allowed == Array(repeating: true, count: 5) + Array(repeating: false, count: 5))
    }

    @Test("allows by default 20 % of first attempts, and ten in ten seconds")
    func defaults() {
        let budget = RetryBudget()
        for _ in 0..<100 { budget.noteFirstAttempt(to: "a", at: .origin) }

        let allowed = (0..<100).count { _ in budget.allows("a", at: .origin) }

        #expect(allowed == 30)
    }

    @Test("allows the whole share of its ratio despite rounding")
    func fractions() {
        let budget = RetryBudget(ratio: 0.29, floorPerSecond: 0)
        for _ in 0..<100 { budget.noteFirstAttempt(to: "a", at: .origin) }

        let allowed = (0..<100).count { _ in budget.allows("a", at: .origin) }

        #expect(allowed == 29)
    }

    @Test("recovers when requests are sent again")
    func recovery() {
        let budget = RetryBudget(ratio: 0.2, floorPerSecond: 0)
        #expect(!budget.allows("a", at: .origin))

        for _ in 0..<5 { budget.noteFirstAttempt(to: "a", at: .seconds(1)) }

        #expect(budget.allows("a", at: .seconds(1)))
        #expect(!budget.allows("a", at: .seconds(1)))
    }

    @Test("keeps authorities apart")
    func authorities() {
        let budget = RetryBudget(floorPerSecond: 0.1)

        #expect(budget.allows("a", at: .origin))
        #expect(!budget.allows("a", at: .origin))
        #expect(budget.allows("b", at: .origin))
        #expect(budget.allows(nil, at: .origin))
    }

    @Test("keeps a bounded number of authorities")
    func bounded() {
        let budget = RetryBudget(ratio: 0, floorPerSecond: 0.1, authorities: 2)
        for name in ["a", "b", "c"] { #expect(budget.allows(name, at: .origin)) }

        #expect(budget.allows("a", at: .origin))
        #expect(!budget.allows("c", at: .origin))
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
                budget.noteFirstAttempt(to: "a", at: .init(offset: now))
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

    @Test("refuses invalid numbers")
    func validation() {
        let budgets = [
            RetryBudget(ratio: -1), RetryBudget(ratio: .nan), RetryBudget(ratio: 1001),
            RetryBudget(floorPerSecond: .nan), RetryBudget(floorPerSecond: -1),
            RetryBudget(lifetime: .zero), RetryBudget(lifetime: .seconds(61)),
        ]

        for budget in budgets {
            #expect(throws: SettingError.self) { try budget.validate() }
            var policy = RetryPolicy<Int>.standard
            policy.budget = budget
            #expect(throws: SettingError.self) { try policy.validate() }
        }
    }

    @Test("accepts every number up to its bounds")
    func bounds() throws {
        let budgets = [
            RetryBudget(ratio: 0), RetryBudget(ratio: 1000), RetryBudget(floorPerSecond: 0),
            RetryBudget(lifetime: .seconds(1)), RetryBudget(lifetime: .seconds(60)),
        ]

        for budget in budgets { try budget.validate() }
    }

    @Test("doesn't trap if the end of a slot is rounded down into it")
    func rounding() {
        // Eleven of its slots divided by one come to a little less than eleven.
        let slot = Duration(secondsComponent: 0, attosecondsComponent: 123_456_789_012_345_678)
        let budget = RetryBudget(ratio: 1, floorPerSecond: 0, lifetime: slot * 10)

        for count in [10, 11] {
            budget.noteFirstAttempt(to: "a", at: Runtime.Instant(offset: slot * count))
        }

        #expect(budget.balance(of: "a", at: Runtime.Instant(offset: slot * 11)) == 2)
    }

    @Test("doesn't trap on numbers that it refuses")
    func oddNumbers() {
        for lifetime in [Duration.zero, .seconds(-1), .nanoseconds(1), .seconds(Int64.max)] {
            let budget = RetryBudget(ratio: .nan, floorPerSecond: .infinity, lifetime: lifetime)
            budget.noteFirstAttempt(to: "a", at: .seconds(1_000_000_000))

            _ = budget.allows("a", at: .seconds(Int(Int32.max)))
        }
    }

    @Test("keeps 64 authorities by default")
    func defaultAuthorities() {
        let budget = RetryBudget(ratio: 0, floorPerSecond: 0.1)
        func spend(_ authority: String) -> Bool { budget.allows(authority, at: .origin) }

        let first = (0..<64).map { spend("\($0)") }
        let kept = (0..<64).map { spend("\($0)") }
        let further = spend("another")
        let dropped = spend("0")

        #expect(first.allSatisfy { $0 } && further && dropped)
        #expect(kept.allSatisfy { !$0 })
    }
}

extension RetryAllowance {
    func allows(
        _ authority: String?,
        at instant: Runtime.Instant,
        after failure: Classification? = nil
    ) -> Bool {
        allowsResend(to: authority, at: instant, after: failure)
    }
}

extension Runtime.Instant {
    static let origin = Runtime.Instant(offset: .zero)

    static func seconds(_ count: Int) -> Runtime.Instant { .init(offset: .seconds(count)) }
}
