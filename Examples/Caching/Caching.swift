import InterceptorKit
import InterceptorKitCaching
import InterceptorKitTesting

/// What a cache answers, when it asks, and what it says of it, over an hour that passes at once.
@main
struct Caching {
    static func main() throws {
        try Simulation.run { simulation in
            let server = ScriptedTransport<HTTP.Request> { request, call in
                if call.runtime.now.offset > .seconds(3_000) { return HTTP.Response(503) }
                let headers: HTTP.Headers = [
                    "Cache-Control": "max-age=60, stale-if-error=3600", "ETag": "\"7\"",
                    "Date": HTTP.text(for: call.runtime.date),
                ]
                let isKnown = request.headers["If-None-Match"] == "\"7\""
                return HTTP.Response(
                    isKnown ? 304 : 200,
                    headers: headers,
                    body: isKnown ? .empty : "teapot"
                )
            }
            let cache = CacheInterceptor(partition: .oneIdentity)
            let api = try HTTP.Client(transport: server, runtime: simulation.runtime) {
                cache
                RetryInterceptor(policy: .standard)
            }

            @Sendable func ask(_ title: String, fresh: Bool = false) async throws {
                let before = server.sent.count
                let response = try await api.send(
                    .get("https://api.example.com/orders/7"),
                    configure: { $0.usesCache = !fresh }
                )
                let text = try await response.text()
                let status = response.cacheStatus.map { "\($0)" } ?? "not asked"
                print("\(title)\n   \(status): \(text), sends: \(server.sent.count - before)")
            }

            try await ask("1. For the first time.")
            try await ask("2. Again: it is fresh for a minute, and nothing is sent.")
            try await ask("3. A call that wants none of it.", fresh: true)
            try await simulation.runtime.sleep(for: .seconds(61))
            try await ask("4. After a minute the server says that it still holds.")
            try await simulation.runtime.sleep(for: .seconds(3_000))
            try await ask("5. Later the server fails, and what it said of that is obeyed.")
            let figures = cache.statistics
            print(
                "In all: hits \(figures.hits), validated \(figures.validations), misses \(figures.misses)"
            )
        }
    }
}
