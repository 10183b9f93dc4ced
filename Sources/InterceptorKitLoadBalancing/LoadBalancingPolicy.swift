public import InterceptorKit
import InterceptorKitCore

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

/// The better of two endpoints at random: the power of two choices (Mitzenmacher, 2001), which keeps many
/// clients from running to one endpoint.
enum TwoChoices {
    /// - Parameter load: Compares two endpoints: the loads that the choice goes by.
    static func choose(
        from candidates: EndpointCandidates,
        _ random: UInt64,
        by load: (_ one: Member.Reading, _ other: Member.Reading) -> (Double, Double)
    ) -> Int {
        let count = candidates.count
        guard count > 1 else { return 0 }
        let first = Int(((random >> 32) &* UInt64(count)) >> 32)
        let drawn = Int(((random & 0xFFFF_FFFF) &* UInt64(count - 1)) >> 32)
        let second = drawn < first ? drawn : drawn + 1
        let one = candidates.load(at: first)
        let other = candidates.load(at: second)
        let loads = load(one, other)
        let (best, rest) = loads.0 <= loads.1 ? (first, second) : (second, first)
        let (weight, otherWeight) =
            loads.0 <= loads.1 ? (one.weight, other.weight) : (other.weight, one.weight)
        guard weight < otherWeight else { return best }
        // A lighter one passes a part of what it wins: without load, comparing loads would give all to the
        // heavier one.
        let fraction = Double(SplitMix64.mix(random) >> 11) * 0x1p-53
        return fraction * otherWeight < weight ? best : rest
    }
}

/// The better of two endpoints at random, by latency times requests in flight.
///
/// The load is that of Finagle's Peak-EWMA, with means over slots in place of a moving average. For a while
/// after a failure an endpoint counts as slow (``LoadBalancingSettings/failurePenalty``). An endpoint without
/// a known latency counts as fast as the one it is compared with, so that a new or idle one gets its share.
/// The two are drawn as in the power of two choices (Mitzenmacher, 2001), which keeps many clients from running
/// to one endpoint.
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
            let otherLatency = other.latency ?? latency
            return (latency * Double(one.inFlight + 1), otherLatency * Double(other.inFlight + 1))
        }
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
        TwoChoices.choose(from: candidates, random) { one, other in
            (Double(one.inFlight), Double(other.inFlight))
        }
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
