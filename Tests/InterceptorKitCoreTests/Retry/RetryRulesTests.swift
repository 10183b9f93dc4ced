import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("RetryRules")
struct RetryRulesTests {
    @Test("limits a call to five attempts unless many are allowed")
    func largeCallLimit() throws {
        let steps = Array(repeating: ScriptStep<HTTP.Request>.status(503), count: 20)
        func sends(_ policy: RetryPolicy<HTTP.Request>) throws -> Int {
            try Simulation.run { simulation in
                let transport = ScriptedTransport(replies: steps)
                let client = try simulation.client(transport) { RetryInterceptor(policy: policy) }
                _ = try await client.send(.get(orders)) { $0.retryLimit = 9 }
                return transport.sent.count
            }
        }
        var many = RetryPolicy<HTTP.Request>.steady
        many.allowsManyAttempts = true

        try expectEqual(sends(.steady), 5)
        try expectEqual(sends(many), 9)
    }

    @Test("skips the classifier for a response that it recognises")
    func recognised() throws {
        let asked = Recorder<HTTP.Status>()
        let classifier = OutcomeClassifier<HTTP.Request>(recognising: { $0.status == 200 }) {
            if case .success(let response) = $0.result { asked.note(response.status) }
            return .success
        }
        try Simulation.run { simulation in
            let transport = ScriptedTransport<HTTP.Request>(replies: [.status(200), .status(201)])
            let client = try simulation.client(transport) {
                RetryInterceptor(policy: RetryPolicy(classifier: classifier))
            }
            for _ in 0..<2 { _ = try await client.send(.get(orders)) }
        }

        expectEqual(asked.entries, [201])
    }

    @Test("obeys a limit for one call only")
    func perCallLimit() throws {
        let sends = try Simulation.run { simulation in
            let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(503) }
            let client = try simulation.client(transport) { RetryInterceptor(policy: .steady) }
            _ = try await client.send(.get(orders)) { $0.retryLimit = 1 }
            _ = try await client.send(.get(orders)) { $0.retryLimit = -5 }
            return transport.sent.count
        }

        expectEqual(sends, 2)
    }
}
