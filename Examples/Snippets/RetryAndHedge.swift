// What the guide RetryAndHedge shows.
import InterceptorKit

func hooked() -> RetryPolicy<HTTP.Request> {
    // snippet.hook
    var policy = RetryPolicy<HTTP.Request>.standard
    policy.hook = { outcome, classification, answer in
        guard case .success(let response) = outcome.result else { return answer }
        switch response.status {
        case 409: return .retryAfter(.milliseconds(200))  // still being processed
        case 410: return .doNotRetryWithError(OrderIsGone())
        default: return answer  // as the policy would
        }
    }
    // snippet.end
    return policy
}

struct OrderIsGone: Error {}

func hedged(_ transport: some Transport<HTTP.Request>) throws -> HTTP.Client {
    // snippet.hedge
    var policy = HedgePolicy<HTTP.Request>.standard
    policy.delay = .percentile(0.99, fallback: .milliseconds(800))
    let api = try HTTP.Client(transport: transport) { [policy] in
        HedgeInterceptor(policy: policy)
    }
    // snippet.end
    return api
}
