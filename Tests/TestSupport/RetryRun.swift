package import InterceptorKit
package import InterceptorKitTesting

/// Runs scripts through a retry.
package enum RetryRun {
    package static func of(
        _ steps: [ScriptStep<HTTP.Request>],
        for request: HTTP.Request = .get(orders),
        policy: RetryPolicy<HTTP.Request> = .steady,
        timeout: Duration? = nil,
        isVarying: Bool = false
    ) async throws -> ScriptedRun {
        let setup = setup(steps, request, policy, timeout)
        return try await ScriptedRun.onEverySeed(setup, isVarying: isVarying)
    }

    package static func once(
        _ steps: [ScriptStep<HTTP.Request>],
        _ request: HTTP.Request = .get(orders),
        _ policy: RetryPolicy<HTTP.Request> = .steady,
        _ timeout: Duration? = nil,
        seed: UInt64
    ) throws -> ScriptedRun {
        try ScriptedRun.once(setup(steps, request, policy, timeout), seed: seed)
    }

    private static func setup(
        _ steps: [ScriptStep<HTTP.Request>],
        _ request: HTTP.Request,
        _ policy: RetryPolicy<HTTP.Request>,
        _ timeout: Duration?
    ) -> ScriptedRun.Setup {
        ScriptedRun.Setup(
            steps: steps,
            request: request,
            interceptor: RetryInterceptor(policy: policy),
            timeout: timeout
        )
    }
}
