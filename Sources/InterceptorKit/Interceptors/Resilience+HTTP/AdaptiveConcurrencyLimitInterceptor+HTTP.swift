extension AdaptiveConcurrencyLimitInterceptor where Input == HTTP.Request {
    /// Creates an interceptor that judges by the standard for HTTP.
    /// - Parameter settings: How the limit is found. Defaults to the gradient with the default numbers.
    public init(_ settings: AdaptiveConcurrencyLimit = AdaptiveConcurrencyLimit()) {
        self.init(settings, classifier: .inherited)
    }
}
