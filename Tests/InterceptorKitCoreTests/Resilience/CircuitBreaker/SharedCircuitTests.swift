import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("SharedCircuit")
struct SharedCircuitTests {
    @Test("admits exactly one of a hundred callers when the break is over")
    func oneProbe() async throws {
        try await onEverySeed(0..<300) { simulation in
            let breaker = CircuitBreaker.steady()
            let gate = Gate("probe")
            let server = Server(answering: 503)
            let client = try simulation.client(server.transport) {
                CircuitBreakerInterceptor(breaker)
                AnyInterceptor { chain in
                    if simulation.now.offset >= .seconds(5) { try await gate.pass() }
                    return try await chain.proceed()
                }
            }
            for _ in 0..<20 { _ = try await client.send(.get(orders)) }
            try await simulation.runtime.sleep(for: .seconds(5))
            server.answer(200)

            let results = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<100 {
                    group.addTask { (try? await client.send(.get(orders))) != nil }
                }
                try await gate.waitForArrivals(1)
                try await simulation.runtime.sleep(for: .milliseconds(1))
                gate.open()
                return try await group.reduce(into: []) { $0.append($1) }
            }

            try requireEqual(results.count { $0 }, 1)
            try requireEqual(server.sends, 21)
        }
    }

    @Test("admits another probe at once after a cancelled one")
    func cancelledProbe() async throws {
        try await onEverySeed { simulation in
            let breaker = CircuitBreaker.steady()
            let server = Server(answering: 503)
            let client = try simulation.client(server.transport) {
                CircuitBreakerInterceptor(breaker)
            }
            for _ in 0..<20 { _ = try await client.send(.get(orders)) }
            try await simulation.runtime.sleep(for: .seconds(5))
            let gate = server.hold()
            let probe = Task.child(in: simulation) { try await client.send(.get(orders)) }
            try await gate.waitForArrivals(1)

            probe.cancel()
            try await require(probe.result.isCancelled)
            gate.open()
            server.answer(200)
            for _ in 0..<2 { _ = try await client.send(.get(orders)) }

            try requireEqual(breaker.status(of: ordersOrigin).state, .closed)
        }
    }
}
