import Expectations
import InterceptorKit
import TestSupport
import Testing

@testable import InterceptorKitCore

@Suite("LatencyWindow")
struct LatencyWindowTests {
    @Test("recomputes a percentile only once the last is older than its rule")
    func refresh() throws {
        let window = LatencyWindow()
        let rule = HedgeDelay.Percentile(
            fraction: 0.5,
            minimumSamples: 1,
            floor: .zero,
            refresh: .seconds(3)
        )
        window.record(.milliseconds(10), at: .seconds(1))
        let first = try unwrap(window.delay(rule, at: .seconds(1)))
        for _ in 0..<9 { window.record(.seconds(1), at: .seconds(1)) }

        let kept = window.delay(rule, at: Runtime.Instant(offset: .milliseconds(3999)))
        let refreshed = try unwrap(window.delay(rule, at: .seconds(4)))

        expectTrue(first < .milliseconds(20))
        expectEqual(kept, first)
        expectTrue(refreshed >= .seconds(1))
    }

    @Test("forgets what came before two whole turns, to the moment")
    func longAgo() {
        let rule = HedgeDelay.Percentile(
            fraction: 0.5,
            minimumSamples: 1,
            floor: .zero,
            refresh: .seconds(3)
        )
        let delays = [59_999, 60_000].map { milliseconds in
            let window = LatencyWindow()
            window.record(.milliseconds(10), at: Runtime.Instant(offset: .zero))
            return window.delay(rule, at: Runtime.Instant(offset: .milliseconds(milliseconds)))
        }

        expectTrue(delays[0] != nil)
        expectEqual(delays[1], nil)
    }
}
