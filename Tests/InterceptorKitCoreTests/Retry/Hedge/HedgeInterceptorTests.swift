import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("HedgeInterceptor")
struct HedgeInterceptorTests {
    @Test("refuses invalid numbers")
    func validation() {
        let changes: [@Sendable (inout HedgePolicy<HTTP.Request>) -> Void] = [
            { $0.maxAttempts = 0 }, { $0.maxAttempts = 6 }, { $0.delay = .fixed(.seconds(-1)) },
            { $0.delay = .percentile(.nan) }, { $0.delay = .percentile(1) },
            { $0.delay = .percentile(minimumSamples: 0) },
            { $0.delay = .percentile(floor: .seconds(-1)) },
            { $0.delay = .percentile(refresh: .seconds(-1)) },
            { $0.delay = .percentile(fallback: .seconds(-1)) },
            { $0.budget = RetryBudget(reserve: -1) },
        ]

        for change in changes {
            var policy = HedgePolicy<HTTP.Request>.standard
            change(&policy)

            #expect(throws: SettingError.self) { try policy.validate() }
        }
        #expect(throws: Never.self) { try HedgePolicy<Int>.standard.validate() }
    }
}
