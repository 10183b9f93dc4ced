import Expectations
import InterceptorKit
import TestSupport
import Testing

@Suite("RetryBudget")
struct RetryBudgetTests {
    @Test("allows three retries without a success and without time")
    func reserve() {
        let budget = RetryBudget()

        let allowed = (0..<10).map { second in
            budget.recordFirstAttempt(to: "a", at: .seconds(second))
            return budget.allows("a", at: .seconds(second))
        }

        expectEqual(allowed, [true, true, true] + Array(repeating: false, count: 7))
    }

    @Test("gives the reserve back within a minute, and no more")
    func time() {
        let late = Classification(.transient, reason: "late", isTimeout: true)
        let budget = RetryBudget()
        func allowed(at second: Int) -> Int {
            (0..<10).count { _ in budget.allows("a", at: .seconds(second)) }
        }

        expectEqual([0, 20, 40, 100, 10_000].map(allowed), [3, 1, 1, 3, 3])
        for _ in 0..<2 { budget.recordFailure(to: "a", late) }
        expectEqual([10_001, 10_061, 10_121].map(allowed), [0, 0, 3])
        let stingy = RetryBudget(refillTime: nil)
        expectEqual((0..<9).count { stingy.allows("a", at: .seconds(1_000 * $0)) }, 3)
    }

    @Test("allows one more retry for each success")
    func success() {
        let budget = RetryBudget(reserve: 0, trafficShare: 1)
        expectTrue(!budget.allows("a"))

        for _ in 0..<5 { budget.succeed("a") }

        expectEqual((0..<10).count { _ in budget.allows("a") }, 5)
    }

    @Test("saves up three, and one for each ten calls of the last ten seconds")
    func most() {
        let budget = RetryBudget()
        for _ in 0..<200 { budget.succeed("a", at: .seconds(1)) }
        let busy = budget.tokens(of: "a")

        for _ in 0..<200 { _ = budget.allows("a") }
        for second in 0..<200 { budget.succeed("a", at: .seconds(1000 + second * 100)) }

        expectTrue(abs(busy - 23) < 1e-9)
        expectTrue((3...3.3).contains(budget.tokens(of: "a")), "\(budget.tokens(of: "a"))")
    }

    @Test("charges timeouts and throttling, retried or not", arguments: [true, false])
    func overload(isTimeout: Bool) {
        let failure =
            isTimeout
            ? Classification(.transient, reason: "late", isTimeout: true)
            : Classification(.throttled, reason: "429")
        let budget = RetryBudget()

        budget.recordFailure(to: "a", failure)
        expectTrue(budget.allows("a", after: failure))
        expectEqual(budget.tokens(of: "a"), 0)
        expectTrue(!budget.allows("a"))
        for _ in 0..<5 { budget.recordFailure(to: "a", failure) }
        expectTrue(!budget.allows("a", after: failure))

        let poor = RetryBudget(reserve: 1)
        poor.recordFailure(to: "a", failure)
        expectTrue(poor.allows("a", after: failure))
        expectEqual(poor.tokens(of: "a"), -2)

        expectEqual(budget.tokens(of: "a"), -3)
        for _ in 0..<4 { budget.succeed("a") }
        expectTrue(budget.allows("a"))
    }

    @Test("charges two for a retry after a refused connection")
    func refused() {
        let refused = Classification(.transient, reason: "refused", isUnsent: true)
        let budget = RetryBudget()

        budget.recordFailure(to: "a", refused)

        expectTrue(budget.allows("a", after: refused))
        expectTrue(!budget.allows("a", after: refused))
        expectTrue(budget.allows("a"))
    }

    @Test("bounds what a fleet of small clients adds to an outage")
    func fleet() {
        let clients = (0..<200).map { _ in RetryBudget() }
        var resends = 0

        for second in 0..<600 {
            for client in clients {
                client.recordFirstAttempt(to: "a", at: .seconds(second))
                if client.allows("a", at: .seconds(second)) { resends += 1 }
            }
        }

        // Three each, and one in 20 s.
        expectEqual(resends, 200 * (3 + 29))
    }

    @Test("keeps authorities apart")
    func authorities() {
        let budget = RetryBudget(reserve: 1)

        expectTrue(budget.allows("a"))
        expectTrue(!budget.allows("a"))
        expectTrue(budget.allows("b"))
        expectTrue(budget.allows(nil))
        expectEqual(budget.tokens(of: "c"), 1)
    }

    @Test("keeps a bounded number of authorities")
    func bounded() {
        let budget = RetryBudget(reserve: 1, authorities: 2)
        for name in ["a", "b", "c"] { expectTrue(budget.allows(name)) }

        expectTrue(budget.allows("a"))
        expectTrue(!budget.allows("c"))
    }

    @Test("refuses invalid numbers")
    func validation() {
        let budgets = [
            RetryBudget(reserve: -1), RetryBudget(reserve: .nan), RetryBudget(reserve: 1001),
            RetryBudget(tokensPerSuccess: .nan), RetryBudget(tokensPerSuccess: -1),
            RetryBudget(trafficShare: .infinity), RetryBudget(trafficShare: -0.1),
        ]

        for budget in budgets {
            let error = #expect(throws: SettingError.self) { try budget.validate() }
            expectEqual(error?.description.contains("RetryBudget."), true)
        }
    }

    @Test("accepts numbers up to its bounds")
    func bounds() throws {
        for budget in [
            RetryBudget(reserve: 0), RetryBudget(reserve: 1000), RetryBudget(tokensPerSuccess: 0),
            RetryBudget(trafficShare: 0),
        ] {
            try budget.validate()
        }
    }

    @Test("survives numbers that nobody validated")
    func unvalidated() {
        for number in [Double.nan, .infinity, -.infinity, -1] {
            let budget = RetryBudget(
                reserve: number,
                tokensPerSuccess: number,
                trafficShare: number
            )
            for second in [0, 5, 3] {
                budget.succeed("a", at: .seconds(second))
                _ = budget.allows("a", at: .seconds(second))
            }
        }
    }
}

extension RetryBudget {
    fileprivate func succeed(_ authority: String?, at instant: Runtime.Instant = .origin) {
        recordFirstAttempt(to: authority, at: instant)
        recordSuccess(to: authority, after: nil)
    }
}

extension RetryLimiter {
    func allows(
        _ authority: String?,
        at instant: Runtime.Instant = .origin,
        after failure: Classification? = .transient("503")
    ) -> Bool {
        allowsResend(to: authority, at: instant, after: failure)
    }
}

extension Runtime.Instant {
    static let origin = Runtime.Instant(offset: .zero)

    static func seconds(_ count: Int) -> Runtime.Instant { .init(offset: .seconds(count)) }
}
