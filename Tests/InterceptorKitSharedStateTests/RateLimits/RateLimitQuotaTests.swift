import InterceptorKit
import Testing

@testable import InterceptorKitSharedState

@Suite("RateLimitQuota")
struct RateLimitQuotaTests {
    @Test("spreads its permits over the period, with a burst of them all")
    func defaults() {
        let quota = RateLimitQuota(20)

        #expect(quota.burst == 20)
        #expect(quota.interval == .milliseconds(50))
    }

    @Test("is divided among replicas, which together give no more")
    func share() {
        let quota = RateLimitQuota(20, burst: 9)

        let share = quota.share(of: 4)

        #expect(share.interval == .milliseconds(200))
        #expect(share.burst == 2)
        #expect(quota.share(of: 1) == quota)
        #expect(quota.share(of: 100).burst == 1)
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
