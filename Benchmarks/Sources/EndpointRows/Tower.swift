import InterceptorKit
public import InterceptorKitLoadBalancing
import InterceptorKitTesting
import Synchronization

/// The scenario of tower's `balance` example, in virtual time: 50,000 requests, 50 at once, to ten endpoints,
/// one of which answers within 1 ms, four within 10 ms, four within 100 ms and one within a second.
public enum Tower {
    private static let longest = [1, 10, 10, 10, 10, 100, 100, 100, 100, 1000]
    private static let tasks = 50
    private static let requestsPerTask = 1000

    /// Returns the latencies in milliseconds.
    public static func latencies(by policy: some LoadBalancingPolicy, seed: UInt64) throws
        -> [Double]
    {
        let service = Endpoints(count: longest.count)
        var servers = SimulatedServers(service.origins)
        for (origin, longest) in zip(service.origins, longest) {
            servers = servers.changing(origin, to: .answersWithin(.milliseconds(longest)))
        }
        let transport = servers
        return try Simulation.run(seed: seed, stepLimit: 50_000_000) { simulation in
            let runtime = simulation.runtime
            let pipeline = try service.pipeline(policy, transport, runtime)
            return try await withThrowingTaskGroup(of: [Double].self) { group in
                for _ in 0..<tasks {
                    group.addTask {
                        var latencies: [Double] = []
                        for _ in 0..<requestsPerTask {
                            let start = runtime.now
                            _ = try await pipeline.run(.get("/"))
                            latencies.append(start.duration(to: runtime.now) / .milliseconds(1))
                        }
                        return latencies
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
        }
    }

    /// Knows beforehand which endpoint is the fastest: what no balancer can do better than.
    public struct Ideal: LoadBalancingPolicy {
        public init() {}

        public func choose(
            from candidates: EndpointCandidates,
            for request: HTTP.Request,
            call: Call,
            random: UInt64
        ) -> Int { 0 }
    }
}
