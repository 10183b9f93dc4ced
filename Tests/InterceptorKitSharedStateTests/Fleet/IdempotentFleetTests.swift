import Expectations
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import TestRun
import TestSupport
import Testing

@Suite("Idempotent fleet", .processorBound)
struct IdempotentFleetTests {
    private final class Totals: Sendable {
        let value = Lock(IdempotentFleet.Tally())
    }

    private func totals(runsAgain: Bool, checksTokens: Bool = true) async throws
        -> IdempotentFleet.Tally
    {
        let totals = Totals()
        try await onEverySeed { simulation in
            let fleet = IdempotentFleet(
                simulation,
                runsAgain: runsAgain,
                checksTokens: checksTokens
            )
            let tally = try await fleet.run()
            totals.value.withLock { $0 += tally }
        }
        return totals.value.withLock(\.self)
    }

    @Test("runs each order once while replicas die and stand still", arguments: [false, true])
    func once(runsAgain: Bool) async throws {
        // Only what runs again needs a database that looks for an order of the same record.
        let tally = try await totals(runsAgain: runsAgain, checksTokens: runsAgain)

        print(
            "fleet idempotency: \(tally.requests) requests, \(tally.kills) kills, "
                + "\(tally.recordedTwice) recorded twice, \(tally.effectsTwice) effects twice, "
                + "\(tally.stuck) stuck (simulated, \(seedCount) seeds, "
                + (runsAgain ? "runs again)" : "refuses)")
        )
        expectEqual(tally.recordedTwice, 0)
        expectEqual(tally.effectsTwice, 0)
        expectEqual(tally.stuck, 0)
        expectEqual(tally.contradictions, 0)
        expectTrue(tally.kills > 0)
        // Most orders come to a response; with a default policy a death leaves some unknown.
        expectTrue(tally.answered > Int(seedCount) * (runsAgain ? 2 : 1))
    }

    @Test("has effects twice if handlers run again and do not commit their token")
    func withoutTokens() async throws {
        let tally = try await totals(runsAgain: true, checksTokens: false)

        expectTrue(tally.effectsTwice > 0)
        expectEqual(tally.recordedTwice, 0)
    }
}
