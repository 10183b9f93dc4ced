extension StandardSettings where Input == HTTP.Request {
    /// The defaults for HTTP.
    public init() {
        self.init(
            retry: .standard,
            health: .health,
            classifier: .inherited,
            limitingRate: { RateLimitInterceptor(policy: $0) }
        )
    }
}
