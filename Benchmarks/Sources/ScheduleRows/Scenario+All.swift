import InterceptorKit
import InterceptorKitTesting

struct TooManyRefreshes: Error {}

extension Scenario {
    /// Twenty callers, an actor, one refresh that sleeps.
    public static let sharedRefresh = Scenario(name: "20 callers share an actor's refresh") {
        simulation in
        let tokens = Tokens(simulation.runtime)
        await withDiscardingTaskGroup { group in
            for _ in 0..<20 { group.addTask { await tokens.use() } }
        }
        guard await tokens.refreshes == 1 else { throw TooManyRefreshes() }
    }

    /// Twenty requests of a client, each rejected once, and the refresh they share.
    public static let tokenInterceptor = Scenario(name: "20 requests share a client's refresh") {
        simulation in
        let refreshes = Counter()
        let transport = ScriptedTransport<HTTP.Request> { request, _ in
            HTTP.Response(request.headers["Authorization"] == "Bearer new" ? 200 : 401)
        }
        let tokens = RefreshableCredentialSource(initial: { .bearer("old") }) { _ in
            await refreshes.add()
            return .bearer("new")
        }
        let client = try HTTP.Client(transport: transport, runtime: simulation.runtime) {
            TokenInterceptor(source: tokens, origins: ["https://api.example.com"])
        }
        try await withThrowingDiscardingTaskGroup { group in
            for _ in 0..<20 {
                group.addTask { _ = try await client.send(.get("https://api.example.com/orders")) }
            }
        }
        guard await refreshes.count == 1 else { throw TooManyRefreshes() }
    }
}

private actor Tokens {
    private let runtime: Runtime
    private var refresh: Task<Void, Never>?
    private(set) var refreshes = 0

    init(_ runtime: Runtime) { self.runtime = runtime }

    func use() async {
        if let refresh { return await refresh.value }
        let runtime = runtime
        let started = runtime.start("refresh") {
            try? await runtime.sleep(for: .milliseconds(5))
            await self.count()
        }
        refresh = started
        await started.value
    }

    private func count() { refreshes += 1 }
}

private actor Counter {
    private(set) var count = 0

    func add() { count += 1 }
}
