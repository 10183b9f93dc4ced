public import InterceptorKit

/// The endpoints among which a ``LoadBalancingPolicy`` chooses, with their load.
///
/// Not empty. Positions are those of one choice: the next one may be among others.
public struct EndpointCandidates: RandomAccessCollection, Sendable {
    let members: [Member]
    let now: Tick

    public var startIndex: Int { 0 }

    public var endIndex: Int { members.count }

    /// The endpoint at a position, with its load at this moment.
    public subscript(position: Int) -> EndpointCandidate {
        let member = members[position]
        return EndpointCandidate(endpoint: member.endpoint, reading: member.load.reading(at: now))
    }
}

/// An endpoint and its load.
public struct EndpointCandidate: Sendable {
    /// The endpoint.
    public let endpoint: ServiceEndpoint

    let reading: EndpointLoad.Reading

    /// The number of requests in flight. A request counts until the head of its response.
    public var inFlight: Int { reading.inFlight }

    /// The latency until the head of a response, lately; `nil` if it is unknown. It is at least the time since
    /// the last response, while requests wait for one.
    public var latency: Duration? { reading.latency.map { .seconds($0) } }

    /// Its weight, less in its slow start.
    public var weight: Double { endpoint.weight * reading.warmth }
}

/// One endpoint of a set, with what is known of it.
final class Member: Sendable {
    let endpoint: ServiceEndpoint
    let origin: HTTP.Origin?
    /// By which a call remembers it.
    let number: UInt32
    /// By which keys are spread; the same in every process.
    let hash: UInt64
    let load: EndpointLoad

    init(_ endpoint: ServiceEndpoint, number: UInt32, load: EndpointLoad) {
        self.endpoint = endpoint
        self.number = number
        self.load = load
        origin = endpoint.url.origin
        hash = StableHash.of(endpoint.url.text + (endpoint.address.map { " \($0)" } ?? ""))
    }
}
