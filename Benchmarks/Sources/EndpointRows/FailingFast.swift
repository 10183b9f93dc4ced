import InterceptorKit
public import InterceptorKitLoadBalancing
import InterceptorKitTesting
import Synchronization

/// Four endpoints in virtual time, three of which answer after 10 ms and one 503 after 1 ms, under 20 requests
/// at once for 20 s.
public enum FailingFast {
    /// Returns the part of all requests after the first second that went to the one that fails, from 0 to 1.
    public static func share(by policy: some LoadBalancingPolicy, seed: UInt64) throws -> Double {
        let service = Endpoints(count: 4)
        let servers = SimulatedServers(service.origins)
            .changing(service.origins[1], to: .answers(503, after: .milliseconds(1)))
        return try Simulation.run(seed: seed, stepLimit: 50_000_000) { simulation in
            let runtime = simulation.runtime
            let pipeline = try service.pipeline(policy, servers, runtime)
            let (failed, all) = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        var (failed, all) = (0, 0)
                        while runtime.now.offset < .seconds(20) {
                            let isCounted = runtime.now.offset > .seconds(1)
                            let status = try await pipeline.run(.get("/")).status
                            guard isCounted else { continue }
                            all += 1
                            if status == .serviceUnavailable { failed += 1 }
                        }
                        return (failed, all)
                    }
                }
                return try await group.reduce(into: (0, 0)) { sums, own in
                    sums = (sums.0 + own.0, sums.1 + own.1)
                }
            }
            return Double(failed) / Double(all)
        }
    }
}
