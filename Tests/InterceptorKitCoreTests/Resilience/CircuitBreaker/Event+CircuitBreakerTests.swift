import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("Events of a circuit breaker")
struct CircuitBreakerEventTests {
    @Test("tell its decisions and state changes")
    func events() async throws {
        let names = try await onEverySeed(0..<10) { simulation in
            let sink = RecordingEventSink()
            let server = Server(answering: 503)
            let client = try simulation.client(server.transport, events: sink) {
                CircuitBreakerInterceptor(CircuitBreaker.steady())
            }
            for _ in 0..<20 { _ = try await client.send(.get(orders)) }
            _ = try? await client.send(.get(orders))
            try await simulation.runtime.sleep(for: .seconds(5))
            server.answer(200)
            for _ in 0..<2 { _ = try await client.send(.get(orders)) }
            return sink.events.filter { $0.source == "CircuitBreakerInterceptor" }.map { event in
                let attributes = event.attributes.sorted { $0.key < $1.key }
                return ([event.name.description] + attributes.map { "\($0)=\($1)" })
                    .joined(separator: " ")
            }
            .filter { !$0.hasPrefix("stage") }
        }

        let reason = "20 of 20 calls failed, the last by 503 Service Unavailable"
        let authority = "authority=https://api.example.com"
        expectEqual(
            names,
            [
                "circuit.opened \(authority) break=5 s reason=\(reason)",
                "circuit.rejected \(authority) reason=open retry_after=5 s",
                "circuit.half_opened \(authority) reason=\(reason)",
                "circuit.closed \(authority)",
            ]
        )
    }
}
