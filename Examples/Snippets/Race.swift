// The README's race, replayed from seeds.
import InterceptorKit
import InterceptorKitTesting

func refreshesOnce() throws {
    // snippet.race
    try simulate(seeds: 0..<1000) { simulation in
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
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask { _ = try await client.send(.get("https://api.example.com/orders")) }
            }
            try await group.waitForAll()
        }
        let count = await refreshes.count
        guard count == 1 else { throw TooManyRefreshes(count: count) }
    }
    // snippet.end
}

actor Counter {
    private(set) var count = 0

    func add() { count += 1 }
}

struct TooManyRefreshes: Error { var count: Int }
