public import InterceptorKit

/// The numbers that determine the health and load of a ``LoadBalancer``'s endpoints.
public struct LoadBalancingSettings: Sendable, Hashable {
    /// The rules for ejecting failing endpoints; `nil` never ejects. Defaults to the standard numbers.
    public var outlierDetection: OutlierDetection? = OutlierDetection()

    /// The time in which an endpoint that is new, or back after an ejection, reaches its full share, starting with a
    /// tenth (as in Envoy's slow start); `nil` gives the full share at once. Defaults to 10 s.
    ///
    /// A balancer's initial endpoints do not count as new.
    public var slowStart: Duration? = .seconds(10)

    /// The latency that an endpoint counts as having for some time after a failure, so that an endpoint that fails fast
    /// does not look fast. Defaults to 5 s, which callers consider far too slow.
    ///
    /// The time is 100 ms after the first failure, doubles with each consecutive one, and is at most ``latencyWindow``.
    public var failurePenalty: Duration = .seconds(5)

    /// The window of latencies, in ten slots, each with half the weight of the next. Defaults to 10 s, the decay of
    /// Finagle's and Linkerd's Peak-EWMA.
    public var latencyWindow: Duration = .seconds(10)

    /// The share of available endpoints below which health is ignored and all endpoints get requests, so that the last
    /// ones are not overloaded. Defaults to 0.5, as in Envoy. 0 ignores health only if no endpoint is available.
    public var panicThreshold = 0.5

    /// The factor by which a group may exceed its share before the next group gets requests. Defaults to 1.4, as in
    /// Envoy: with 5 of 7 endpoints available, a group still takes everything.
    public var overprovisioning = 1.4

    /// The longest `Retry-After` that is obeyed. An endpoint gets no requests for that time. Defaults to 60 s.
    public var maxRetryAfter: Duration = .seconds(60)

    /// The longest wait of a call for the first endpoints of a source, within its deadline. Defaults to 5 s.
    public var startTimeout: Duration = .seconds(5)

    /// Creates the default numbers.
    public init() {}

    /// Throws if a value is invalid.
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
