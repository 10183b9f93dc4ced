package import InterceptorKit
package import InterceptorKitTesting

extension Simulation {
    /// A client over a script, in this simulation's time, without a time limit.
    package func client(
        _ transport: ScriptedTransport<HTTP.Request>,
        timeout: Duration? = nil,
        events: (any EventSink)? = nil,
        @InterceptorBuilder<HTTP.Request> _ interceptors: () -> [any Interceptor<HTTP.Request>]
    ) throws -> HTTP.Client {
        try HTTP.Client(
            transport: transport,
            timeout: timeout,
            runtime: runtime,
            events: events,
            interceptors
        )
    }
}

extension RetryPolicy where Input == HTTP.Request {
    /// The standard policy with waits that do not depend on randomness, and without a budget, which runs that
    /// have the policy in common would share.
    package static var steady: RetryPolicy {
        var policy = RetryPolicy<HTTP.Request>.standard
        policy.maxAttempts = 3
        policy.backoff = Backoff(jitter: .none)
        policy.overloadBackoff = Backoff(base: .seconds(1), jitter: .none)
        policy.budget = nil
        return policy
    }
}

package let orders: HTTP.URL = "https://api.example.com/orders"
