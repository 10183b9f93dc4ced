extension CircuitBreakerInterceptor where Input == HTTP.Request {
    /// Creates an interceptor with the standard classifier for HTTP.
    /// - Parameter breaker: The circuit breaker, which can be shared. Defaults to its own, with the default
    ///   numbers.
    public init(_ breaker: CircuitBreaker = CircuitBreaker()) {
        self.init(breaker, classifier: .health)
    }
}
