import InterceptorKit

/// The endpoints among which a ``LoadBalancingPolicy`` chooses, with their load. There is at least one.
///
/// Positions are valid for one choice only, since the next choice may be among other endpoints.
public struct EndpointCandidates: RandomAccessCollection, Sendable {
    var members: [Member]
    let now: Tick

    public var startIndex: Int { 0 }

    public var endIndex: Int { members.count }

    /// The endpoint at a position, with its current load.
    public subscript(position: Int) -> EndpointCandidate {
        EndpointCandidate(endpoint: members[position].endpoint, load: load(at: position))
    }

    func load(at position: Int) -> Member.Reading { members[position].reading(at: now) }
}

/// An endpoint and its load.
public struct EndpointCandidate: Sendable {
    /// The endpoint.
    public let endpoint: ServiceEndpoint

    let load: Member.Reading

    /// The number of requests in flight. A request counts until the head of its response.
    public var inFlight: Int { load.inFlight }

    /// The recent latency until the head of a response; `nil` if it is unknown. While requests wait, it is at least the
    /// time since the last response.
    public var latency: Duration? { load.latency.map { .seconds($0) } }

    /// The endpoint's weight, reduced during its slow start.
    public var weight: Double { load.weight }
}
