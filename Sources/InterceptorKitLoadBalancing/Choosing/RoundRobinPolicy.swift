public import InterceptorKit
import Synchronization

/// Chooses one endpoint after the other, regardless of their weights and load.
public final class RoundRobinPolicy: LoadBalancingPolicy {
    private let nextIndex = Atomic<UInt64>(0)

    /// Creates the policy.
    public init() {}

    public func choose(
        from candidates: EndpointCandidates,
        for request: HTTP.Request,
        call: Call,
        random: UInt64
    ) -> Int {
        let nextIndex = nextIndex.wrappingAdd(1, ordering: .relaxed).oldValue
        return Int(nextIndex % UInt64(candidates.count))
    }
}
