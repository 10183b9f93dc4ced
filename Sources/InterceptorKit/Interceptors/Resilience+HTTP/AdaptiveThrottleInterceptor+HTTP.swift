extension AdaptiveThrottleInterceptor where Input == HTTP.Request {
    /// Creates an interceptor that judges by the standard for HTTP.
    /// - Parameter policy: When calls are rejected. Defaults to the default numbers.
    public init(policy: AdaptiveThrottlePolicy = AdaptiveThrottlePolicy()) {
        self.init(policy: policy, classifier: .inherited)
    }
}
