public import InterceptorKit

/// The status of an endpoint in a ``LoadBalancer``.
public struct EndpointStatus: Sendable {
    /// The endpoint.
    public let endpoint: ServiceEndpoint
    /// Whether the endpoint is healthy. In a panic, unavailable endpoints get requests too.
    public let isAvailable: Bool
    /// The instant at which the endpoint becomes available by itself; `nil` if it is available, or only a health check
    /// can restore it.
    public let availableFrom: Runtime.Instant?
    /// The number of requests in flight.
    public let inFlight: Int
    /// The recent latency until the head of a response; `nil` if it is unknown.
    public let latency: Duration?
}

extension LoadBalancer {
    /// Returns the status of each endpoint.
    /// - Parameter now: The current instant.
    public func status(at now: Runtime.Instant) -> [EndpointStatus] {
        members.map { member in
            let availability = member.availability(at: now)
            let reading = member.reading(at: now.tick)
            return EndpointStatus(
                endpoint: member.endpoint,
                isAvailable: availability.isAvailable,
                availableFrom: availability.until,
                inFlight: reading.inFlight,
                latency: reading.latency.map { .seconds($0) }
            )
        }
    }
}
