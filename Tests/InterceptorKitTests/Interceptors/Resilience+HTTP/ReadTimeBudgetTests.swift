import Expectations
import InterceptorKitTesting
import TestRun
import TestSupport
import Testing

@testable import InterceptorKit

@Suite("ReadTimeBudget")
struct ReadTimeBudgetTests {
    private static let usual = BodyLimits(idle: .seconds(20), minimumRate: 240)

    /// How long was waited until the end, and for what reason; `nil` if all came.
    private func ending(
        of chunks: some Sequence<(wait: Duration, bytes: Int)>,
        within limits: BodyLimits
    ) -> (after: Duration, error: TimeoutError)? {
        var timeBudget = ReadTimeBudget(limits)
        var waited = Duration.zero
        for chunk in chunks {
            if chunk.wait >= timeBudget.rest {
                return (waited + timeBudget.rest, timeBudget.error(from: nil) { _ in "" })
            }
            waited += chunk.wait
            timeBudget.take(chunk.bytes, after: chunk.wait)
        }
        return nil
    }

    @Test("reports a silence as idle after a fast body, as slow after a slow one")
    func silence() throws {
        let quick = [(wait: Duration.seconds(1), bytes: 240), (.seconds(600), 1)]
        let slow = [(wait: Duration.seconds(5), bytes: 240), (.seconds(600), 1)]

        let afterQuick = try unwrap(ending(of: quick, within: Self.usual))
        let afterSlow = try unwrap(ending(of: slow, within: Self.usual))

        expectEqual(afterQuick.error.code, .bodyIdle)
        expectEqual(afterQuick.after, .seconds(21))
        expectEqual(afterSlow.error.code, .bodyRate)
        expectEqual(afterSlow.after, .seconds(21))
    }

    @Test("handles the largest rate, limit and chunk", arguments: [1, 240, Int.max])
    func extremes(rate: Int) {
        let century = Duration.seconds(100 * 365 * 86_400)
        for idle in [Duration.nanoseconds(1), century] {
            var timeBudget = ReadTimeBudget(
                BodyLimits(idle: idle, minimumRate: rate, total: century)
            )
            for bytes in [1, 1 << 40, Int.max] { timeBudget.take(bytes, after: .nanoseconds(1)) }

            expectTrue(timeBudget.rest <= idle)
        }
    }

    /// By the definition: a stretch of waits is too long for the bytes that came before its last.
    private func isTooSlow(_ chunks: [(wait: Int, bytes: Int)], idle: Int) -> Bool {
        for start in chunks.indices {
            var owed = 0
            for chunk in chunks[start...] {
                owed += chunk.wait
                if owed >= idle { return true }
                owed -= chunk.bytes
            }
        }
        return false
    }

    @Test("ends exactly the bodies whose waits exceed what their bytes earn")
    func anyBody() {
        for seed in 0..<cases(400, of: 2000) as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            // Waits counted in the time of a byte, so that nothing is rounded.
            let rate = [1, 2, 4, 5, 8, 10, 100].randomElement(using: &random) ?? 1
            let idle = Int.random(in: 1...50, using: &random)
            let most = Int.random(in: 1...20, using: &random)
            let chunks = (0..<Int.random(in: 1...40, using: &random)).map { _ in
                (
                    wait: Int.random(in: 0...20, using: &random),
                    bytes: Int.random(in: 1...most, using: &random)
                )
            }
            let limits = BodyLimits(idle: .seconds(1) * idle / rate, minimumRate: rate)

            let end = ending(
                of: chunks.map { (.seconds(1) * $0.wait / rate, $0.bytes) },
                within: limits
            )

            expectEqual((end != nil), isTooSlow(chunks, idle: idle), "seed \(seed)")
        }
    }
}
