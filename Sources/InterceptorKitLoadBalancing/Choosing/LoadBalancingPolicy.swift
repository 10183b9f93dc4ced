public import InterceptorKit
import InterceptorKitCore

/// A policy that chooses an endpoint for each attempt.
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
/// The candidates are the endpoints that may get the attempt: the available ones of one group, without those that the
/// call has tried. The policy runs on the caller's thread and must not block.
public protocol LoadBalancingPolicy: Sendable {
    /// Returns the position of the endpoint to use.
    /// - Parameters:
    ///   - candidates: The endpoints, at least one. A result outside of their positions counts as the first.
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

/// The better of two random endpoints: the power of two choices (Mitzenmacher, 2001), which keeps many clients from
/// choosing the same endpoint.
enum TwoChoices {
    /// - Parameter latencies: Returns the latencies of two endpoints, or other costs of a request.
    static func choose(
        from candidates: EndpointCandidates,
        _ random: UInt64,
        by latencies: (_ one: Member.Reading, _ other: Member.Reading) -> (Double, Double)
    ) -> Int {
        let count = candidates.count
        guard count > 1 else { return 0 }
        let first = Int(((random >> 32) &* UInt64(count)) >> 32)
        let drawn = Int(((random & 0xFFFF_FFFF) &* UInt64(count - 1)) >> 32)
        let second = drawn < first ? drawn : drawn + 1
        let one = candidates.load(at: first)
        let other = candidates.load(at: second)
        let heaviest = max(one.weight, other.weight)
        let latencies = latencies(one, other)
        let load = latencies.0 * (Double(one.inFlight) * heaviest / one.weight + 1)
        let otherLoad = latencies.1 * (Double(other.inFlight) * heaviest / other.weight + 1)
        if load > 1.25 * otherLoad { return second }
        if otherLoad > 1.25 * load { return first }
        // If loads differ little, the shares change gradually, and follow the weights. A strict comparison would send
        // all requests of a quiet client to the endpoint that is slightly faster.
        let share = one.weight * otherLoad * otherLoad * otherLoad
        let otherShare = other.weight * load * load * load
        let fraction = Double(SplitMix64.mix(random) >> 11) * 0x1p-53
        return fraction * (share + otherShare) < share ? first : second
    }
}

/// Usually chooses the better of two random endpoints, by latency times requests in flight.
///
/// The load is that of Finagle's Peak-EWMA, with means over time slots instead of a moving average. For some time after
/// a failure, an endpoint counts as slow (``LoadBalancingSettings/failurePenalty``). An endpoint without a known
/// latency counts as just as fast as the other one, so that a new or idle endpoint gets its share. The random draw is
/// the power of two choices (Mitzenmacher, 2001), which keeps many clients from choosing the same endpoint.
public struct LeastLatencyPolicy: LoadBalancingPolicy {
    /// Creates the policy.
    public init() {}

    public func choose(
        from candidates: EndpointCandidates,
        for request: HTTP.Request,
        call: Call,
        random: UInt64
    ) -> Int {
        TwoChoices.choose(from: candidates, random) { one, other in
            let latency = one.latency ?? other.latency ?? 1
            return (latency, other.latency ?? latency)
        }
    }
}

/// Usually chooses the better of two random endpoints, by requests in flight, like Envoy's least request policy.
public struct LeastRequestsPolicy: LoadBalancingPolicy {
    /// Creates the policy.
    public init() {}

    public func choose(
        from candidates: EndpointCandidates,
        for request: HTTP.Request,
        call: Call,
        random: UInt64
    ) -> Int {
        TwoChoices.choose(from: candidates, random) { _, _ in (1, 1) }
    }
}

/// Chooses a random endpoint, in proportion to the weights.
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
