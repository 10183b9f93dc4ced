import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("ConcurrencyLimiter")
struct ConcurrencyLimiterTests {
    @Test("counts each authority separately if configured")
    func authorities() async throws {
        let authority = try await onEverySeed(0..<50) { simulation in
            let server = Server(answering: 200)
            let gate = server.hold()
            let client = try simulation.client(server.transport) {
                ConcurrencyLimitInterceptor(
                    policy: ConcurrencyLimitPolicy(limit: 1, scope: .eachAuthority())
                )
            }
            let calls = ["a", "b", "c"].map { name in
                Task.child(in: simulation) {
                    try await client.send(.get(HTTP.URL("https://\(name).example/")))
                }
            }
            try await gate.waitForArrivals(3)
            let error = await failure(of: LimitError.self) {
                try await client.send(.get("https://a.example/other"))
            }
            gate.open()
            for call in calls { _ = try await call.value }
            return error?.authority
        }

        expectEqual(authority, "https://a.example")
    }
}
