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

func elsewhere() -> HedgePolicy<HTTP.Request> {
    var policy = HedgePolicy<HTTP.Request>.standard
    // snippet.elsewhere
    policy.action = { chain in
        try await chain.proceed {
            $0.url = "https://eu.example.com\(raw: $0.url.requestTarget)"
        }
    }
    // snippet.end
    return policy
}

func counted() -> RetryPolicy<HTTP.Request> {
    // snippet.counts
    var policy = RetryPolicy<HTTP.Request>.standard
    policy.maxAttempts = 5
    policy.maxRetries = RetryCounts(connect: 4, read: 1, status: 2)
    // snippet.end
    return policy
}

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
