extension AdaptiveConcurrencyLimitInterceptor where Input == HTTP.Request {
    /// Creates an interceptor with the standard classifier for HTTP.
    /// - Parameter settings: How the limit adapts. Defaults to the standard numbers.
    public init(_ settings: AdaptiveConcurrencyLimit = AdaptiveConcurrencyLimit()) {
        self.init(settings, classifier: .inherited)
    }
}
