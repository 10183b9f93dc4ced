public import InterceptorKit

/// Chooses an endpoint for an attempt.
///
/// ```swift
/// struct First: LoadBalancingPolicy {
///     func choose(from candidates: EndpointCandidates, for pick: EndpointPick) -> Int { 0 }
/// }
/// ```
///
/// It chooses among the endpoints that may get this attempt: available ones of one group, without those that
/// the call has tried. It runs in every attempt, on the caller's thread: it must not block.
public protocol LoadBalancingPolicy: Sendable {
    /// Returns the position of the endpoint to use.
    /// - Parameters:
    ///   - candidates: The endpoints, at least one. A position outside of them counts as the first.
    ///   - pick: The attempt, and a random number for this choice.
    func choose(from candidates: EndpointCandidates, for pick: EndpointPick) -> Int
}

/// An attempt for which an endpoint is chosen.
public struct EndpointPick: Sendable {
    /// The request, before its URL is completed.
    public let request: HTTP.Request
    /// The call.
    public let call: Call
    /// A random number.
    public let random: UInt64

    /// A number from 0 up to a bound, by the upper half of ``random``.
    func upper(below bound: Int) -> Int { Int((random >> 32) * UInt64(bound) >> 32) }

    /// A number from 0 up to a bound, by the lower half of ``random``.
    func lower(below bound: Int) -> Int { Int((random & 0xFFFF_FFFF) * UInt64(bound) >> 32) }
}

extension LoadBalancingPolicy {
    /// Two endpoints at random, which differ; the same one twice if there is no other.
    func two(of count: Int, for pick: EndpointPick) -> (Int, Int) {
        let first = pick.upper(below: count)
        guard count > 1 else { return (first, first) }
        let second = pick.lower(below: count - 1)
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

    public func choose(from candidates: EndpointCandidates, for pick: EndpointPick) -> Int {
        let (first, second) = two(of: candidates.count, for: pick)
        guard first != second else { return first }
        let one = candidates[first]
        let other = candidates[second]
        let oneLatency = one.reading.latency ?? other.reading.latency ?? 1
        let otherLatency = other.reading.latency ?? oneLatency
        let load = oneLatency * Double(one.inFlight + 1) * other.weight
        let otherLoad = otherLatency * Double(other.inFlight + 1) * one.weight
        return load <= otherLoad ? first : second
    }
}

/// The better of two endpoints at random, by requests in flight, as Envoy's least request policy.
public struct LeastRequestsPolicy: LoadBalancingPolicy {
    /// Creates the policy.
    public init() {}

    public func choose(from candidates: EndpointCandidates, for pick: EndpointPick) -> Int {
        let (first, second) = two(of: candidates.count, for: pick)
        guard first != second else { return first }
        let one = candidates[first]
        let other = candidates[second]
        let load = Double(one.inFlight + 1) * other.weight
        let otherLoad = Double(other.inFlight + 1) * one.weight
        return load <= otherLoad ? first : second
    }
}

/// An endpoint at random, in proportion to the weights.
public struct WeightedRandomPolicy: LoadBalancingPolicy {
    /// Creates the policy.
    public init() {}

    public func choose(from candidates: EndpointCandidates, for pick: EndpointPick) -> Int {
        let total = candidates.reduce(0) { $0 + $1.weight }
        var rest = Double(pick.random >> 11) * 0x1p-53 * total
        for (position, candidate) in candidates.enumerated() {
            rest -= candidate.weight
            if rest < 0 { return position }
        }
        return candidates.count - 1
    }
}
