extension StandardSettings where Input == HTTP.Request {
    /// Creates the default settings for HTTP.
    public init() {
        self.init(
            retry: .standard,
            health: .health,
            classifier: .standard,
            limitingRate: { RateLimitInterceptor(policy: $0) }
        )
    }
}
