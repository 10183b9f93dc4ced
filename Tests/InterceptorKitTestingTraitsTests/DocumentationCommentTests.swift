import InterceptorKit
import InterceptorKitTesting
import InterceptorKitTestingTraits
import Testing

// What the documentation comments of the traits show.
@Suite(.detectsLeaks) struct OrderTests {
    @Test("a held call is answered when the gate opens") func held() async throws {
        let gate = Gate("orders")
        let transport = ScriptedTransport<HTTP.Request>(replies: [.status(200).held(at: gate)])

        async let response = transport.send(.get("https://api.example.com/orders"), call: Call())
        try await gate.waitForArrivals(1)
        gate.open()

        let status = try await response.status
        #expect(status == 200)
    }
}

@Suite struct DocumentationCommentTests {
    @Test("two calls at once are one send", .namedSeeds) func coalesced() throws {
        try simulate(seeds: 0..<100) { simulation in
            let transport = ScriptedTransport<HTTP.Request>(replies: [
                .status(200).delayed(by: .seconds(1))
            ])
            let client = try HTTP.Client(transport: transport, runtime: simulation.runtime) {
                CoalescingInterceptor()
            }

            async let first = client.send(.get("https://api.example.com/orders"))
            async let second = client.send(.get("https://api.example.com/orders"))
            _ = try await (first, second)

            #expect(transport.sent.count == 1)  // when it fails: INTERCEPTORKIT_SEED=17 replays it
        }
    }
}
