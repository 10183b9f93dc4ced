public import InterceptorKit

/// Chooses an endpoint for an attempt.
///
/// ```swift
/// struct First: LoadBalancingPolicy {
///     func choose(
///         from candidates: EndpointCandidates,
///         for request: HTTP.Request,
///         call: Call,
///         random: UInt64
///     ) -> Int { 0 }
/// }
/// ```
///
/// It chooses among the endpoints that may get this attempt: available ones of one group, without those that
/// the call has tried. It runs in every attempt, on the caller's thread: it must not block.
public protocol LoadBalancingPolicy: Sendable {
    /// Returns the position of the endpoint to use.
    /// - Parameters:
    ///   - candidates: The endpoints, at least one. A position outside of them counts as the first.
    ///   - request: The request, before its URL is completed.
    ///   - call: The call.
    ///   - random: A random number for this choice.
    func choose(
        from candidates: EndpointCandidates,
        for request: HTTP.Request,
        call: Call,
        random: UInt64
    ) -> Int
}

extension LoadBalancingPolicy {
    /// Two positions at random, which differ; the same one twice if there is no other.
    func two(of count: Int, by random: UInt64) -> (Int, Int) {
        guard count > 1 else { return (0, 0) }
        let first = Int(((random >> 32) &* UInt64(count)) >> 32)
        let second = Int(((random & 0xFFFF_FFFF) &* UInt64(count - 1)) >> 32)
        return (first, second < first ? second : second + 1)
    }
}

/// The better of two endpoints at random, by latency times requests in flight.
///
/// The power of two choices (Mitzenmacher, 2001) keeps many clients from running to one endpoint. The load is
/// that of Finagle's Peak-EWMA, with means over slots in place of a moving average, and with failures counted
/// as ``LoadBalancingSettings/failurePenalty``. An endpoint without a known latency counts as fast as the one
/// it is compared with, so that a new or idle one gets its share.
public struct LeastLatencyPolicy: LoadBalancingPolicy {
    /// Creates the policy.
    public init() {}

    public func choose(
        from candidates: EndpointCandidates,
        for request: HTTP.Request,
        call: Call,
        random: UInt64
    ) -> Int {
        let (first, second) = two(of: candidates.count, by: random)
        guard first != second else { return first }
        let one = candidates.load(at: first)
        let other = candidates.load(at: second)
        let oneLatency = one.latency ?? other.latency ?? 1
        let otherLatency = other.latency ?? oneLatency
        let load = oneLatency * Double(one.inFlight + 1) * other.weight
        let otherLoad = otherLatency * Double(other.inFlight + 1) * one.weight
        return load <= otherLoad ? first : second
    }
}

/// The better of two endpoints at random, by requests in flight, as Envoy's least request policy.
public struct LeastRequestsPolicy: LoadBalancingPolicy {
    /// Creates the policy.
    public init() {}

    public func choose(
        from candidates: EndpointCandidates,
        for request: HTTP.Request,
        call: Call,
        random: UInt64
    ) -> Int {
        let (first, second) = two(of: candidates.count, by: random)
        guard first != second else { return first }
        let one = candidates.load(at: first)
        let other = candidates.load(at: second)
        let load = Double(one.inFlight + 1) * other.weight
        let otherLoad = Double(other.inFlight + 1) * one.weight
        return load <= otherLoad ? first : second
    }
}

/// An endpoint at random, in proportion to the weights.
public struct WeightedRandomPolicy: LoadBalancingPolicy {
    /// Creates the policy.
    public init() {}

    public func choose(
        from candidates: EndpointCandidates,
        for request: HTTP.Request,
        call: Call,
        random: UInt64
    ) -> Int {
        let total = candidates.reduce(0) { $0 + $1.weight }
        var rest = Double(random >> 11) * 0x1p-53 * total
        for (position, candidate) in candidates.enumerated() {
            rest -= candidate.weight
            if rest < 0 { return position }
        }
        return candidates.count - 1
    }
}
