import InterceptorKit
import InterceptorKitTesting

/// What came of sending a request through a retry over a script.
struct RetryRun {
    var result: Result<HTTP.Response, any Error>
    var times: [Duration]
    var sent: [HTTP.Request]
    var elapsed: Duration

    /// Runs a script once for each of a thousand seeds, which must all come to the same unless chance
    /// has a part in it.
    static func of(
        _ steps: [ScriptStep<HTTP.Request>],
        for request: HTTP.Request = .get(orders),
        policy: RetryPolicy<HTTP.Request> = .steady,
        timeout: Duration? = nil,
        isVarying: Bool = false
    ) async throws -> RetryRun {
        try await besideOtherTests {
            let first = try once(steps, request, policy, timeout, seed: 0)
            for seed in UInt64(1)..<1000 {
                let other = try once(steps, request, policy, timeout, seed: seed)
                let isSame = other.times == first.times && "\(other.result)" == "\(first.result)"
                guard isVarying || isSame else {
                    let results = [first, other].map { "\($0)" }
                    throw ResultsDiffer(seed: Int(seed), results: results)
                }
            }
            return first
        }
    }

    static func once(
        _ steps: [ScriptStep<HTTP.Request>],
        _ request: HTTP.Request = .get(orders),
        _ policy: RetryPolicy<HTTP.Request> = .steady,
        _ timeout: Duration? = nil,
        seed: UInt64
    ) throws -> RetryRun {
        try Simulation.run(seed: seed) { simulation in
            let transport = ScriptedTransport(replies: steps)
            let client = try simulation.client(transport, timeout: timeout) {
                RetryInterceptor(policy: policy)
            }
            let result: Result<HTTP.Response, any Error>
            do {
                result = .success(try await client.send(request))
            } catch {
                result = .failure(error)
            }
            return RetryRun(
                result: result,
                times: transport.sent.map(\.instant.offset),
                sent: transport.sent.map(\.input),
                elapsed: simulation.now.offset
            )
        }
    }
}
