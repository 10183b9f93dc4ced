import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("CircuitListeners")
struct CircuitListenersTests {
    @Test("streams every state change, and ends the stream with its task")
    func changes() async throws {
        let changes = try await onEverySeed(0..<100) { simulation in
            let breaker = CircuitBreaker.steady()
            let server = Server(answering: 503)
            let client = try simulation.client(server.transport) {
                CircuitBreakerInterceptor(breaker)
            }
            let stream = breaker.changes
            let reader = Task.child(in: simulation) {
                var changes: [String] = []
                for await change in stream { changes.append("\(change.from) > \(change.to)") }
                return changes
            }
            for _ in 0..<20 { _ = try await client.send(.get(orders)) }
            try await simulation.runtime.sleep(for: .seconds(5))
            server.answer(200)
            for _ in 0..<2 { _ = try await client.send(.get(orders)) }
            breaker.isolate(ordersOrigin)
            breaker.reset(ordersOrigin)
            breaker.reset(ordersOrigin)
            try await simulation.runtime.sleep(for: .seconds(1))
            reader.cancel()
            return try await reader.value
        }

        expectEqual(
            changes,
            [
                "closed > open", "open > half-open", "half-open > closed", "closed > isolated",
                "isolated > closed",
            ]
        )
    }

    @Test("keeps the newest 64 changes for anyone who doesn't read, to the last")
    func unread() async {
        var breaker: CircuitBreaker? = CircuitBreaker.steady()
        let stream = breaker?.changes
        for number in 0..<50 {
            breaker?.isolate("\(number)")
            breaker?.reset("\(number)")
        }

        breaker = nil
        var authorities: [String?] = []
        for await change in stream ?? AsyncStream(unfolding: { nil }) {
            authorities.append(change.authority)
        }

        expectEqual(authorities.count, 64)
        expectEqual(authorities.first, "18")
        expectEqual(authorities.last, "49")
    }
}
