extension AdaptiveThrottleInterceptor where Input == HTTP.Request {
    /// Creates an interceptor with the standard classifier for HTTP.
    /// - Parameter policy: The rules for rejections. Defaults to the default numbers.
    public init(policy: AdaptiveThrottlePolicy = AdaptiveThrottlePolicy()) {
        self.init(policy: policy, classifier: .inherited)
    }
}
