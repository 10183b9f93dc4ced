import InterceptorKit
import TestSupport
import Testing

@Suite("RetryBudget")
struct RetryBudgetTests {
    @Test("allows the retries of its floor without any traffic, and not one more")
    func floor() {
        let budget = RetryBudget(ratio: 0.2, floorPerSecond: 0.5)

        let allowed = (0..<10).map { _ in budget.allows("a", at: .origin) }

        #expect(allowed == Array(repeating: true, count: 5) + Array(repeating: false, count: 5))
    }

    @Test("allows by default 20 % of first attempts, and ten in ten seconds")
    func defaults() {
        let budget = RetryBudget()
        for _ in 0..<100 { budget.recordFirstAttempt(to: "a", at: .origin) }

        let allowed = (0..<100).count { _ in budget.allows("a", at: .origin) }

        #expect(allowed == 30)
    }

    @Test("recovers when requests are sent again")
    func recovery() {
        let budget = RetryBudget(ratio: 0.2, floorPerSecond: 0)
        #expect(!budget.allows("a", at: .origin))

        for _ in 0..<5 { budget.recordFirstAttempt(to: "a", at: .seconds(1)) }

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

    @Test("doesn't trap on numbers that it refuses")
    func oddNumbers() {
        for lifetime in [Duration.zero, .seconds(-1), .nanoseconds(1), .seconds(Int64.max)] {
            let budget = RetryBudget(ratio: .nan, floorPerSecond: .infinity, lifetime: lifetime)
            budget.recordFirstAttempt(to: "a", at: .seconds(1_000_000_000))

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

extension RetryLimiter {
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
