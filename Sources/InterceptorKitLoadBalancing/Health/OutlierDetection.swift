public import InterceptorKit

/// The rules by which failing endpoints are ejected, and for how long.
///
/// After an ejection, an endpoint is on trial: it gets one request at a time until one succeeds. If a trial fails, the
/// endpoint is ejected for twice as long.
public struct OutlierDetection: Sendable, Hashable {
    /// The number of consecutive failures after which an endpoint is ejected. Defaults to 5, as in Envoy.
    public var consecutiveFailures = 5

    /// The success rate below which an endpoint is ejected. Defaults to 0.8, as in Linkerd's breaker.
    public var successRate = 0.8

    /// The number of requests in the window from which the success rate counts. Defaults to 20.
    public var minimumRequests = 20

    /// The sliding window of the success rate. Defaults to 10 s, the interval of Envoy's sweeps.
    public var window: Duration = .seconds(10)

    /// The time of the first ejection, which is doubled each time that a trial fails. Defaults to 1 s, as in Linkerd's
    /// failure accrual.
    public var ejectionTime: Duration = .seconds(1)

    /// The longest ejection. Defaults to 60 s, as in Linkerd's failure accrual.
    public var maxEjectionTime: Duration = .seconds(60)

    /// The random part by which an ejection is longer or shorter, so that clients that eject an endpoint together do
    /// not return together. Defaults to 0.2.
    public var jitter = 0.2

    /// Creates the default numbers.
    public init() {}

    /// Throws if a value is invalid.
    public func validate() throws(SettingError) {
        let check = SettingCheck(of: "OutlierDetection")
        try check.positive("consecutiveFailures", consecutiveFailures)
        try check.within(0...1, "successRate", successRate)
        try check.positive("minimumRequests", minimumRequests)
        try check.positive("window", window)
        try check.positive("ejectionTime", ejectionTime)
        try check.positive("maxEjectionTime", maxEjectionTime)
        try check.require(
            ejectionTime <= maxEjectionTime,
            "ejectionTime",
            ejectionTime.formattedSeconds,
            "at most maxEjectionTime, \(maxEjectionTime.formattedSeconds)"
        )
        try check.within(0...0.9, "jitter", jitter)
    }
}
