public import InterceptorKit

/// What a ``LoadBalancer`` knows of an endpoint.
public struct EndpointStatus: Sendable {
    /// The endpoint.
    public let endpoint: ServiceEndpoint
    /// Whether it gets requests, apart from a panic.
    public let isAvailable: Bool
    /// When it becomes available by itself; `nil` if it is, or only a health check can say.
    public let availableFrom: Runtime.Instant?
    /// The number of requests in flight.
    public let inFlight: Int
    /// The latency until the head of a response, lately; `nil` if it is unknown.
    public let latency: Duration?
}

extension LoadBalancer {
    /// Returns what is known of each endpoint.
    /// - Parameter now: The present.
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
