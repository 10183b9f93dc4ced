import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("A call's retry settings")
struct CallRetryTests {
    @Test(
        "obeys a call's isIdempotent for any method",
        arguments: [("POST", true, 3), ("POST", nil, 1), ("GET", false, 1), ("GET", nil, 3)]
    )
    func tag(method: String, isIdempotent: Bool?, sends: Int) throws {
        let count = try Simulation.run { simulation in
            let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(503) }
            let client = try simulation.client(transport) { RetryInterceptor(policy: .steady) }
            let request = HTTP.Request(HTTP.Method(rawValue: method), orders)
            _ = try await client.send(request) { $0.isIdempotent = isIdempotent }
            return transport.sent.count
        }

        expectEqual(count, sends)
    }

    @Test("obeys a call's isIdempotent for inputs that are not HTTP")
    func genericTag() async throws {
        let sends = Recorder<Int>()
        let transport = Echo<Int> { input, _ in
            sends.note(input)
            throw Problem()
        }
        let pipeline = try Pipeline(transport: transport) { RetryInterceptor(policy: .immediate) }
        var call = Call()
        call.isIdempotent = false

        await #expect(throws: Problem.self) { try await pipeline.run(1, call: call) }

        expectEqual(sends.entries, [1])
    }

    @Test("lets a call have its own policy, and keeps that of other calls")
    func anotherPolicy() throws {
        let sends = try Simulation.run { simulation in
            let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(404) }
            let client = try simulation.client(transport) { RetryInterceptor(policy: .steady) }
            var policy = RetryPolicy<HTTP.Request>(
                classifier: OutcomeClassifier { _ in .transient("always") }
            )
            policy.maxAttempts = 4
            _ = try await client.send(.get(orders)) { [policy] in try $0.useRetryPolicy(policy) }
            let first = transport.sent.count
            _ = try await client.send(.get(orders))
            return [first, transport.sent.count]
        }

        expectEqual(sends, [4, 5])
    }

    @Test("refuses a call's invalid policy before anything is sent")
    func invalidPolicyOfCall() async throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [])
        let client = try HTTP.Client(transport: transport, timeout: nil) {
            RetryInterceptor(policy: .steady)
        }
        var policy = RetryPolicy<HTTP.Request>.standard
        policy.maxAttempts = 0

        await #expect(throws: SettingError.self) {
            try await client.send(.get(orders)) { try $0.useRetryPolicy(policy) }
        }

        expectTrue(transport.sent.isEmpty)
    }
}
