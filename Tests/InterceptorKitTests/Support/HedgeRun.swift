import InterceptorKit
import InterceptorKitTesting

/// What came of sending a request through a hedge over a script.
struct HedgeRun {
    var result: Result<HTTP.Response, any Error>
    var sends: [Duration]
    var elapsed: Duration

    /// Runs a script once for each of a thousand seeds, which must all come to the same.
    static func of(
        _ steps: [ScriptStep<HTTP.Request>],
        for request: HTTP.Request = .get(orders),
        policy: HedgePolicy<HTTP.Request> = .prompt,
        events: (any EventSink)? = nil,
        configure: @escaping @Sendable (inout Call) -> Void = { _ in }
    ) async throws -> HedgeRun {
        try await onEverySeed { simulation in
            let transport = ScriptedTransport(replies: steps)
            let client = try simulation.client(transport, events: events) {
                HedgeInterceptor(policy: policy)
            }
            let result: Result<HTTP.Response, any Error>
            do {
                result = .success(try await client.send(request, configure: configure))
            } catch {
                result = .failure(error)
            }
            return HedgeRun(
                result: result,
                sends: transport.sent.map(\.instant.offset),
                elapsed: simulation.now.offset
            )
        }
    }
}

extension HedgePolicy where Input == HTTP.Request {
    /// The standard policy with a hedge after 100 ms, as many as its limit allows.
    static var prompt: HedgePolicy {
        var policy = HedgePolicy<HTTP.Request>.standard
        policy.delay = .fixed(.milliseconds(100))
        policy.budget = nil
        policy.sharedBudget = nil
        return policy
    }
}
