import Synchronization

/// One endpoint after the other, whatever their weights and their load.
public final class RoundRobinPolicy: LoadBalancingPolicy {
    private let turn = Atomic<UInt64>(0)

    /// Creates the policy.
    public init() {}

    public func choose(from candidates: EndpointCandidates, for pick: EndpointPick) -> Int {
        let turn = turn.wrappingAdd(1, ordering: .relaxed).oldValue
        return Int(turn % UInt64(candidates.count))
    }
}
