import InterceptorKit
import InterceptorKitTesting
import Testing

private actor Account {
    private(set) var balance = 0

    func deposit(_ amount: Int) { balance += amount }
}

/// The tests that documentation comments show.
@Suite struct DocumentationCommentTests {
    @Test("two calls at once are one send") func coalesced() throws {
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

            try #require(transport.sent.count == 1)
        }
    }

    @Test("two deposits at once are both counted") func deposits() throws {
        let explored = try simulateAllSchedules { _ in
            let account = Account()
            await withDiscardingTaskGroup { group in
                for _ in 0..<2 { group.addTask { await account.deposit(10) } }
            }
            let balance = await account.balance
            try #require(balance == 20)
        }

        #expect(explored.isComplete)
    }

    @Test("a script answers a call and its retry, and lacks nothing at the end")
    func scripted() throws {
        try Simulation.run { simulation in
            let transport = ScriptedTransport<HTTP.Request>(expecting: [
                .get("/orders/7", .status(503), .json(#"{"id": 7}"#))
            ])
            let client = try HTTP.Client(transport: transport, runtime: simulation.runtime) {
                RetryInterceptor(policy: .standard)
            }

            _ = try await client.send(.get("https://api.example.com/orders/7"))

            #expect(transport.sent.map(\.line) == ["GET /orders/7", "GET /orders/7"])
            try transport.verify()
        }
    }
}
