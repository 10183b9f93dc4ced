extension RetryInterceptor where Input == HTTP.Request {
    /// Creates an interceptor with the standard policy for HTTP.
    ///
    /// ```swift
    /// RetryInterceptor(),
    /// RetryInterceptor(maxAttempts: 5),
    /// RetryInterceptor(alsoWhen: { $0.response?.status == .conflict }),
    /// ```
    /// - Parameters:
    ///   - maxAttempts: The largest number of sends, the first included. Defaults to 3.
    ///   - condition: Outcomes to repeat besides those that the policy repeats, also where the method is not
    ///     idempotent. Defaults to none.
    public init(
        maxAttempts: Int = 3,
        alsoWhen condition: (@Sendable (_ outcome: Outcome<HTTP.Request>) -> Bool)? = nil
    ) {
        var policy = RetryPolicy<HTTP.Request>.standard
        policy.maxAttempts = maxAttempts
        policy.alsoRetries = condition
        self.init(policy: policy)
    }
}
