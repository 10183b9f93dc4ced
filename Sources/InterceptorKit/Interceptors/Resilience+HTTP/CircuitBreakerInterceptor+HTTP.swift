extension CircuitBreakerInterceptor where Input == HTTP.Request {
    /// Creates an interceptor that judges by the standard for HTTP.
    /// - Parameter breaker: Decides, and can be shared. Defaults to one of its own with the default numbers.
    public init(_ breaker: CircuitBreaker = CircuitBreaker()) {
        self.init(breaker, classifier: .health)
    }
}
