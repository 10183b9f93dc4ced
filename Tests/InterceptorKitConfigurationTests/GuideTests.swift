// What the module's articles show.
#if Configuration
import Expectations
import Configuration
import InterceptorKit
import InterceptorKitConfiguration
import InterceptorKitTesting
import Testing

@Suite("The guide")
struct ConfigurationGuideTests {
    private let transport = ScriptedTransport<HTTP.Request>(replies: [.status(200), .status(200)])

    @Test("makes a client of a scope of the configuration")
    func once() async throws {
        let provider = EnvironmentVariablesProvider(environmentVariables: [
            "ORDERS_BASE_URL": "https://api.example.com"
        ])

        let config = ConfigReader(provider: provider)
        let settings = try HTTP.Client.Settings(config: config.scoped(to: "orders"))
        let api = try HTTP.Client(settings, transport: transport)

        try await expectEqual(api.send(.get("/orders/7")).status, 200)
        expectEqual(transport.sent.map(\.input.url), ["https://api.example.com/orders/7"])
    }

    @Test("replaces the settings beside the work")
    func reloading() async throws {
        let config = reader(["orders.baseURL": "https://api.example.com"])
        let settings = HTTP.Client.Settings(baseURL: "https://example.com")

        let clients = try ReloadableClient(
            config: config.scoped(to: "orders"),
            defaults: settings,
            transport: transport
        )
        try await withThrowingTaskGroup { group in
            group.addTask { try await clients.run() }
            group.addTask { _ = try await clients.send(.get("/orders/7")) }
            try await group.next()
            group.cancelAll()
        }

        expectEqual(transport.sent.map(\.input.url), ["https://api.example.com/orders/7"])
    }

    @Test("says why a configuration was refused")
    func refused() throws {
        let provider = MutableInMemoryProvider(initialValues: [
            "baseURL": "https://api.example.com"
        ])
        let clients = try ReloadableClient(
            config: ConfigReader(provider: provider),
            transport: transport
        )
        provider.setValue(9, forKey: "retry.maxAttempts")
        var warnings: [String] = []
        func warn(_ text: String) { warnings.append(text) }

        _ = try? clients.reload()
        if let refusal = clients.refusal {
            warn("\(refusal.keys): \(refusal)")
        }

        expectEqual(
            warnings,
            [
                "[\"retry.maxAttempts\"]: The configuration can't work with retry.maxAttempts = 9. "
                    + "RetryPolicy.maxAttempts is 9 and must be at most 5. More attempts multiply the load of "
                    + "a failing service. Set allowsManyAttempts if they are meant."
            ]
        )
    }
}
#endif
