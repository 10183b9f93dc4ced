import InterceptorKit
import InterceptorKitTesting
import Testing

@Suite struct ReadmeTests {
    @Test("each attempt is signed again")
    func attempts() throws {
        try simulate(seeds: 0..<20) { simulation in
            let transport = ScriptedTransport<HTTP.Request>(replies: [.status(503), .status(200)])
            let api = try HTTP.Client(transport: transport, runtime: simulation.runtime) {
                RetryInterceptor(policy: .standard)
                SignInterceptor(.hmacSHA256(keyID: "app-1", secret: "not for production"))
            }

            _ = try await api.send(.get("https://api.example.com/orders"))

            let signatures = transport.sent.compactMap { $0.input.headers["X-Signature"] }
            #expect(Set(signatures).count == 2)
        }
    }
}
