import InterceptorKit

/// The endpoints among which a ``LoadBalancingPolicy`` chooses, with their load.
///
/// Not empty. Positions are those of one choice: the next one may be among others.
public struct EndpointCandidates: RandomAccessCollection, Sendable {
    var members: [Member]
    let now: Tick

    public var startIndex: Int { 0 }

    public var endIndex: Int { members.count }

    /// The endpoint at a position, with its load at this moment.
    public subscript(position: Int) -> EndpointCandidate {
        EndpointCandidate(endpoint: members[position].endpoint, load: load(at: position))
    }

    /// What a choice compares, without a copy of the endpoint.
    func load(at position: Int) -> Member.Reading { members[position].reading(at: now) }
}

/// An endpoint and its load.
public struct EndpointCandidate: Sendable {
    /// The endpoint.
    public let endpoint: ServiceEndpoint

    let load: Member.Reading

    /// The number of requests in flight. A request counts until the head of its response.
    public var inFlight: Int { load.inFlight }

    /// The latency until the head of a response, lately; `nil` if it is unknown. It is at least the time since
    /// the last response, while requests wait for one.
    public var latency: Duration? { load.latency.map { .seconds($0) } }

    /// Its weight, less in its slow start.
    public var weight: Double { load.weight }
}
