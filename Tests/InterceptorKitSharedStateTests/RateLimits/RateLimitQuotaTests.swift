import Expectations
import InterceptorKit
import Testing

@testable import InterceptorKitSharedState

@Suite("RateLimitQuota")
struct RateLimitQuotaTests {
    @Test("spreads its permits over the period, with a burst of them all")
    func defaults() {
        let quota = RateLimitQuota(20)

        expectEqual(quota.burst, 20)
        expectEqual(quota.interval, .milliseconds(50))
    }

    @Test("is divided among replicas, which together give no more")
    func share() {
        let quota = RateLimitQuota(20, burst: 9)

        let share = quota.share(of: 4)

        expectEqual(share.interval, .milliseconds(200))
        expectEqual(share.burst, 2)
        expectEqual(quota.share(of: 1), quota)
        expectEqual(quota.share(of: 100).burst, 1)
    }

    @Test(
        "refuses values that cannot work",
        arguments: [
            RateLimitQuota(0), RateLimitQuota(2_000_000), RateLimitQuota(1, burst: 0),
            RateLimitQuota(1, per: .zero), RateLimitQuota(1, per: .seconds(86_400 * 365)),
        ]
    )
    func validation(quota: RateLimitQuota) {
        #expect(throws: SettingError.self) { try quota.validate() }
    }
}
