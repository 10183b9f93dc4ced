extension RetryInterceptor where Input == HTTP.Request {
    /// Creates an interceptor with the standard policy for HTTP.
    ///
    /// ```swift
    /// RetryInterceptor(),
    /// RetryInterceptor(maxAttempts: 5),
    /// RetryInterceptor(alsoWhen: { $0.response?.status == .conflict }),
    /// ```
    /// - Parameters:
    ///   - maxAttempts: The maximum number of sends, including the first. Defaults to 4.
    ///   - condition: Additional outcomes to retry, even if the method is not idempotent. Defaults to none.
    public init(
        maxAttempts: Int = 4,
        alsoWhen condition: (@Sendable (_ outcome: Outcome<HTTP.Request>) -> Bool)? = nil
    ) {
        var policy = RetryPolicy<HTTP.Request>.standard
        policy.maxAttempts = maxAttempts
        policy.alsoRetries = condition
        self.init(policy: policy)
    }
}
