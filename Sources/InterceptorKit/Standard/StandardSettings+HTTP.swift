extension StandardSettings where Input == HTTP.Request {
    /// Creates the default settings for HTTP.
    public init() {
        self.init(
            retry: .standard,
            health: .health,
            classifier: .inherited,
            limitingRate: { RateLimitInterceptor(policy: $0) }
        )
    }
}
