import InterceptorKit
import TestSupport

/// Where requests for orders go.
let ordersOrigin = "https://api.example.com"

extension CircuitBreaker {
    /// Breaks without jitter.
    static func steady() -> CircuitBreaker {
        var policy = CircuitBreakerPolicy()
        policy.jitter = 0
        return CircuitBreaker(policy: policy)
    }
}
