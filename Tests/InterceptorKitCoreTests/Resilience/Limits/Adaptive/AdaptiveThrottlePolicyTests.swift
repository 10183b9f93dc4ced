import Expectations
import InterceptorKit
import TestSupport
import Testing

@testable import InterceptorKitCore

@Suite("AdaptiveThrottlePolicy")
struct AdaptiveThrottlePolicyTests {
    @Test(
        "rejects calls by its formula, and at most nine of ten",
        arguments: [
            (10, 90, 80.0 / 101), (0, 9, 0.9), (0, 3, 0.75), (40, 60, 20.0 / 101), (0, 500, 0.9),
            (0, 0, 0), (50, 50, 0), (100, 0, 0),
        ] as [(Int, Int, Double)]
    )
    func rule(accepted: Int, refused: Int, probability: Double) {
        let count = SlidingWindowCounter.Count(calls: accepted + refused, failures: refused)

        let rejection = AdaptiveThrottlePolicy().rejection(count)

        expectTrue(abs(rejection - probability) < 0.000_001)
    }

    @Test(
        "refuses invalid numbers",
        arguments: [
            Refusal({ $0.multiplier = 0.5 }, "multiplier is 0.5 and must be from 1.0 to 1000.0."),
            Refusal({ $0.multiplier = .nan }, "multiplier is nan"),
            Refusal({ $0.multiplier = .infinity }, "multiplier is inf"),
            Refusal({ $0.window = .zero }, "window is 0 s"),
            Refusal({ $0.maxRejection = 1 }, "maxRejection is 1.0"),
            Refusal({ $0.maxRejection = .nan }, "maxRejection is nan"),
            Refusal({ $0.maxRejection = -1 }, "maxRejection is -1.0"),
            Refusal({ $0.authorityLimit = -1 }, "authorityLimit is -1"),
        ] as [Refusal<AdaptiveThrottlePolicy>]
    )
    func refusals(refusal: Refusal<AdaptiveThrottlePolicy>) {
        var policy = AdaptiveThrottlePolicy()
        refusal.change(&policy)

        let error = #expect(throws: PipelineError.self) {
            try Pipeline(transport: Echo<Int>()) { [policy] in
                AdaptiveThrottleInterceptor(policy: policy)
            }
        }

        expectEqual(error?.message.contains(refusal.text), true)
    }
}
