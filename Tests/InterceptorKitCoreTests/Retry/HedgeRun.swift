import InterceptorKit
import InterceptorKitTesting
import TestSupport

/// Runs scripts through a hedge.
enum HedgeRun {
    static func of(
        _ steps: [ScriptStep<HTTP.Request>],
        for request: HTTP.Request = .get(orders),
        policy: HedgePolicy<HTTP.Request> = .prompt,
        events: (any EventSink)? = nil,
        configure: @escaping @Sendable (inout Call) -> Void = { _ in }
    ) async throws -> ScriptedRun {
        let setup = ScriptedRun.Setup(
            steps: steps,
            request: request,
            interceptor: HedgeInterceptor(policy: policy),
            events: events,
            configure: configure
        )
        return try await ScriptedRun.onEverySeed(setup)
    }
}

extension HedgePolicy where Input == HTTP.Request {
    /// The standard policy with a hedge after 100 ms, as many as its limit allows.
    static var prompt: HedgePolicy {
        var policy = HedgePolicy<HTTP.Request>.standard
        policy.delay = .fixed(.milliseconds(100))
        policy.budget = nil
        policy.sharedBudget = nil
        return policy
    }
}
