import Expectations
import Testing

@testable import InterceptorKit

@Suite("RefreshPolicy")
struct RefreshPolicyTests: CredentialStateSuite {
    @Test(
        "draws margins within their bounds",
        arguments: [
            (nil, 0, 60, 10), (nil, 1, 45, 15), (nil, 0.5, 52.5, 12.5), (3600, 0, 60, 10),
            (40, 0, 20, 10), (40, 1, 20, 10), (8, 0, 4, 2),
        ] as [(Double?, Double, Double, Double)]
    )
    func margins(lifetime: Double?, fraction: Double, background: Double, blocking: Double) {
        let margins = RefreshMargins(.standard, lifetime: lifetime, fraction: fraction)

        expectEqual(margins.background, background)
        expectEqual(margins.blocking, blocking)
    }

    @Test("has exact margins where they do not vary", arguments: [nil, 3600, 40])
    func exactMargins(lifetime: Double?) {
        var policy = RefreshPolicy.standard
        policy.variesMargins = false
        let exact = RefreshMargins(.standard, lifetime: lifetime, fraction: 0)

        for fraction in [0, 0.3, 0.99] {
            expectEqual(RefreshMargins(policy, lifetime: lifetime, fraction: fraction), exact)
        }
    }

    @Test(
        "refuses invalid settings",
        arguments: [
            { $0.limit = 0 }, { $0.window = .zero }, { $0.waitLimit = .zero },
            { $0.abandonAfter = .seconds(1) }, { $0.blockingMargin = .seconds(-1) },
            { $0.backgroundMargin = .seconds(-1) },
        ] as [@Sendable (inout RefreshPolicy) -> Void]
    )
    func invalidPolicy(change: @Sendable (inout RefreshPolicy) -> Void) throws {
        var policy = RefreshPolicy.standard
        try policy.validate()
        change(&policy)

        let error = #expect(throws: SettingError.self) { try policy.validate() }
        expectEqual(error?.setting.hasPrefix("RefreshPolicy."), true)
    }

    @Test("waits for a refresh within a blocking margin that is the longer one")
    func longBlockingMargin() throws {
        var policy = RefreshPolicy.standard
        policy.blockingMargin = .seconds(90)
        try policy.validate()
        var early = loaded(expiringAfter: 600, policy: policy)
        var late = early

        expectEqual(action(&early, .usable, after: 500), "use 1")
        expectEqual(action(&late, .usable, after: 520), "begin 2")
    }
}
