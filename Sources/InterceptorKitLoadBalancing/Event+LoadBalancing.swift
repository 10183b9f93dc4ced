public import InterceptorKit

extension Event.Name {
    /// An endpoint was chosen for an attempt: `endpoint`.
    public static let endpointChosen: Self = "endpoint.chosen"
    /// An endpoint gets no requests for some time: `endpoint`, `reason`, `time`.
    public static let endpointEjected: Self = "endpoint.ejected"
    /// An endpoint asked for a pause: `endpoint`, `time`.
    public static let endpointPaused: Self = "endpoint.paused"
    /// An endpoint gets requests again: `endpoint`.
    public static let endpointRestored: Self = "endpoint.restored"
    /// An endpoint is not used, because it is invalid or its origin is not one of the balancer's: `endpoint`.
    public static let endpointRefused: Self = "endpoint.refused"
    /// A new set of endpoints is in use: `count`.
    public static let endpointsChanged: Self = "endpoints.changed"
    /// A source of endpoints failed and is asked again after `delay`; the last set stays in use: `error.type`,
    /// `error.message`, `delay`.
    public static let endpointSourceFailed: Self = "endpoints.source_failed"
}

extension EndpointHealth.Change {
    var eventName: Event.Name {
        switch self {
        case .ejected, .failedCheck: .endpointEjected
        case .paused: .endpointPaused
        case .restored, .passedCheck: .endpointRestored
        }
    }

    func attributes(of endpoint: ServiceEndpoint) -> Event.Attributes {
        var attributes: Event.Attributes = ["endpoint": .text("\(endpoint)")]
        switch self {
        case .ejected(let reason, let time):
            attributes.reason = reason
            attributes["time"] = .duration(time)
        case .paused(let time): attributes["time"] = .duration(time)
        case .failedCheck: attributes.reason = "failed health checks"
        case .restored, .passedCheck: break
        }
        return attributes
    }
}
