import Expectations
import InterceptorKit
import InterceptorKitCaching
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import TestRun
import TestSupport
import Testing

@Suite("CacheInterceptor and changes")
struct CacheConsistencyTests {
    /// A resource of which each POST makes a new version, in a world where everything takes time.
    private final class World: Sendable {
        let client: HTTP.Client
        let store = MemoryCacheStore()
        let runtime: Runtime
        /// The newest version of which a writer has been told.
        let told = Lock(0)
        let problems = Recorder<String>()

        init(_ simulation: Simulation) throws {
            let runtime = simulation.runtime
            let version = Lock(0)
            let transport = ScriptedTransport<HTTP.Request> { request, _ in
                try await runtime.pause(upTo: 2)
                let number = version.withLock { version in
                    if request.method == .post { version += 1 }
                    return version
                }
                // The response is on its way while others change what it speaks of.
                try await runtime.pause(upTo: 3)
                if request.method == .post {
                    return HTTP.Response(200, body: .text("\(number)"))
                }
                if runtime.random() % 8 == 0 { throw TransportError(.connectionLost, "Lost.") }
                if runtime.random() % 8 == 0 { return HTTP.Response(503) }
                let headers: HTTP.Headers = [
                    "Cache-Control": Self.freshness[Int(runtime.random() % 5)],
                    "ETag": "\"\(number)\"",
                ]
                if request.headers["If-None-Match"] == headers["ETag"] {
                    return HTTP.Response(304, headers: headers)
                }
                let body = SlowText("\(number)", runtime, pause: 2)
                return HTTP.Response(200, headers: headers, body: .oneShot(body))
            }
            let store = store
            self.runtime = runtime
            client = try simulation.client(transport) {
                CacheInterceptor(store: store, partition: .oneIdentity)
            }
        }

        private static let freshness = [
            "max-age=6", "max-age=1, stale-while-revalidate=20", "max-age=1, stale-if-error=60",
            "no-cache", "no-store",
        ]

        func write() async throws {
            let text = try await client.send(.post(orders, body: "x")).text()
            told.withLock { $0 = max($0, Int(text) ?? 0) }
        }

        func read() async throws {
            let known = told.withLock { $0 }
            let response = try await client.send(.get(orders))
            let text = try await response.text()
            guard response.status == 200 else { return }
            if Int(text).map({ $0 >= known }) != true {
                problems.note(
                    "\(text) was read after \(known), \(String(describing: response.cacheStatus))"
                )
            }
        }

        /// Does some things one after the other, of which reading may be given up.
        func act() async {
            for _ in 0..<5 {
                try? await runtime.pause(upTo: 3)
                if runtime.random() % 4 == 0 {
                    try? await write()
                } else {
                    let reader = runtime.start("reader") { [self] in try? await read() }
                    if runtime.random() % 4 == 0 {
                        try? await runtime.pause(upTo: 5)
                        reader.cancel()
                    }
                    await reader.value
                }
            }
        }
    }

    @Test("no call reads a version older than a change that ended before it")
    func changes() async throws {
        try await besideOtherTests {
            try simulate(seeds: 0..<(2 * seedCount)) { simulation in
                let world = try World(simulation)

                await withTaskGroup { group in
                    for _ in 0..<5 { group.addTask { await world.act() } }
                }
                try await simulation.runtime.sleep(for: .seconds(60))

                try requireEqual(world.problems.entries, [])
                let stored = await world.store.contents()
                try require(stored.count <= 1)
                if let response = stored.first, let body = await world.store.body(of: response) {
                    let text = String(decoding: try await body.collect(), as: UTF8.self)
                    try requireEqual(response.headers["ETag"], "\"\(text)\"")
                    try requireEqual(Int(text).map { $0 >= world.told.withLock { $0 } }, true)
                }
                try requireEqual(world.client.openBodies, 0)
            }
        }
    }
}
