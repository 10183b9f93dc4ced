import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("ConcurrencyLimitInterceptor")
struct ConcurrencyLimitInterceptorTests {
    @Test("rejects the second call at once with one permit and no queue")
    func noLine() async throws {
        try await onEverySeed(0..<100) { simulation in
            let server = Server(answering: 200)
            let gate = server.hold()
            let client = try simulation.client(server.transport) {
                ConcurrencyLimitInterceptor(policy: ConcurrencyLimitPolicy(limit: 1))
            }
            let first = Task.child(in: simulation) { try await client.send(.get(orders)) }
            try await gate.waitForArrivals(1)

            let error = await failure(of: LimitError.self) { try await client.send(.get(orders)) }
            gate.open()

            guard try await first.value.status == 200, simulation.now.offset == .zero else {
                throw Problem()
            }
            try requireEqual(error?.code, .tooManyCalls)
            try requireEqual(error?.classification.kind, .rejected)
            try requireEqual(
                error?.message,
                "The limit of 1 calls at once is reached. Nothing was sent; try again when some have "
                    + "ended."
            )
        }
    }

    @Test("makes a call wait no longer than maxWait if its deadline is later")
    func maxWait() async throws {
        let time = try await onEverySeed(0..<50) { simulation in
            let server = Server(answering: 200)
            let gate = server.hold()
            let client = try simulation.client(server.transport) {
                ConcurrencyLimitInterceptor(
                    policy: ConcurrencyLimitPolicy(limit: 1, queueLimit: 1, maxWait: .seconds(2))
                )
            }
            let first = Task.child(in: simulation) { try await client.send(.get(orders)) }
            try await gate.waitForArrivals(1)
            _ = await failure(of: LimitError.self) {
                try await client.send(.get(orders), timeout: .seconds(7))
            }
            gate.open()
            _ = try await first.value
            return simulation.now.offset
        }

        expectEqual(time, .seconds(2))
    }

    @Test("returns the permit with the response's head, before its body is read")
    func streamedBody() async throws {
        let length = try await onEverySeed(0..<10) { simulation in
            let transport = ScriptedTransport<HTTP.Request> { _, _ in
                HTTP.Response(body: .oneShot(CountingStream(chunks: 2)))
            }
            let client = try simulation.client(transport) {
                ConcurrencyLimitInterceptor(policy: ConcurrencyLimitPolicy(limit: 1))
            }
            let first = try await client.send(.get(orders))
            let second = try await client.send(.get(orders))
            return try await first.text().count + second.text().count
        }

        expectEqual(length, 4096)
    }
}
