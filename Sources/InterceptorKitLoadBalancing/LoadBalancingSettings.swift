public import InterceptorKit

/// The numbers by which a ``LoadBalancer`` judges its endpoints.
public struct LoadBalancingSettings: Sendable, Hashable {
    /// When an endpoint that fails is left out; `nil` never leaves one out. Defaults to the standard numbers.
    public var outlierDetection: OutlierDetection? = OutlierDetection()

    /// The time in which an endpoint that is new, or back after an ejection, gets its full share, beginning
    /// with a tenth (the start of Envoy's slow start); `nil` gives it at once. Defaults to 10 s.
    ///
    /// The endpoints that a balancer begins with are not new.
    public var slowStart: Duration? = .seconds(10)

    /// The latency that an endpoint counts as having for a while after a failure, so that one that fails fast
    /// does not look fast. Defaults to 5 s: what a caller takes for far too slow.
    ///
    /// The while is 100 ms after the first failure, twice as long with each further one on end, and 10 s at
    /// most.
    public var failurePenalty: Duration = .seconds(5)

    /// The window in which latencies count, in ten slots of which each counts half of the next. Defaults to
    /// 10 s, the decay of Finagle's and Linkerd's Peak-EWMA.
    public var latencyWindow: Duration = .seconds(10)

    /// The share of available endpoints below which health is ignored and all endpoints get requests, so that
    /// the last ones are not overloaded. Defaults to 0.5, as in Envoy. 0 ignores health only if no endpoint is
    /// available.
    public var panicThreshold = 0.5

    /// How much more than its share a group takes before the next group gets requests. Defaults to 1.4, as in
    /// Envoy: with 5 of 7 endpoints available, a group still takes everything.
    public var overprovisioning = 1.4

    /// The longest `Retry-After` that is obeyed; an endpoint gets no requests for that long. Defaults to 60 s.
    public var maxRetryAfter: Duration = .seconds(60)

    /// How long a call waits for the first endpoints of a source, or until its deadline if that is sooner.
    /// Defaults to 5 s.
    public var startTimeout: Duration = .seconds(5)

    /// Creates the default numbers.
    public init() {}

    /// Throws if a value isn't allowed.
    public func validate() throws(SettingError) {
        try outlierDetection?.validate()
        let check = SettingCheck(of: "LoadBalancingSettings")
        if let slowStart { try check.positive("slowStart", slowStart) }
        try check.positive("failurePenalty", failurePenalty)
        try check.positive("latencyWindow", latencyWindow)
        try check.within(0...1, "panicThreshold", panicThreshold)
        try check.within(1...100, "overprovisioning", overprovisioning)
        try check.notNegative("maxRetryAfter", maxRetryAfter)
        try check.notNegative("startTimeout", startTimeout)
    }
}
