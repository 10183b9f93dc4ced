import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("HedgePolicy")
struct HedgePolicyTests {
    @Test(
        "hedges an input that isn't HTTP only if its call is idempotent",
        arguments: [(nil, 1), (false, 1), (true, 2)] as [(Bool?, Int)]
    )
    func otherInputs(isIdempotent: Bool?, sends: Int) throws {
        let count = try Simulation.run { simulation in
            let sent = Recorder<Int>()
            var policy = HedgePolicy<Int>.standard
            policy.delay = .fixed(.milliseconds(100))
            policy.budget = nil
            let pipeline = try Pipeline(
                transport: Echo<Int> { input, call in
                    sent.note(input)
                    try await call.runtime.sleep(for: .seconds(1))
                    return input
                },
                runtime: simulation.runtime
            ) { HedgeInterceptor(policy: policy) }
            var call = Call(runtime: simulation.runtime)
            call.isIdempotent = isIdempotent

            _ = try await pipeline.run(1, call: call)
            return sent.entries.count
        }

        expectEqual(count, sends)
    }
}
