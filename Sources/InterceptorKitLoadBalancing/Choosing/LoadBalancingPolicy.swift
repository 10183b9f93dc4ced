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
    /// - Parameter latencies: The latencies of two endpoints, or whatever makes a request dearer.
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
        // Loads that differ little are a matter of degree, and of weight: a strict comparison would give all
        // requests of a quiet client to the endpoint that is a little faster.
        let share = one.weight * otherLoad * otherLoad * otherLoad
        let otherShare = other.weight * load * load * load
        let fraction = Double(SplitMix64.mix(random) >> 11) * 0x1p-53
        return fraction * (share + otherShare) < share ? first : second
    }
}

/// Mostly the better of two endpoints at random, by latency times requests in flight.
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
            return (latency, other.latency ?? latency)
        }
    }
}

/// Mostly the better of two endpoints at random, by requests in flight, as Envoy's least request policy.
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
