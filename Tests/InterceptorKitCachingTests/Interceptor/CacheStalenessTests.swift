import InterceptorKit
import InterceptorKitCaching
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import TestSupport
import Testing

@Suite("CacheInterceptor and stale responses")
struct CacheStalenessTests {
    /// What the service does from its second answer on.
    private enum Trouble: Sendable, CaseIterable {
        case lost, broken, gateway
    }

    private static func service(
        _ simulation: Simulation,
        _ freshness: String,
        _ trouble: Trouble,
        policy: CachePolicy = CachePolicy()
    ) throws -> CachedService {
        let count = Lock(0)
        return try CachedService(simulation, policy: policy) { _, _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number == 1 {
                return HTTP.Response(200, headers: ["Cache-Control": freshness], body: "1")
            }
            switch trouble {
            case .lost: throw TransportError(.connectionLost, "Lost.")
            case .broken: return HTTP.Response(500, body: "broken")
            case .gateway: return HTTP.Response(504, body: "late")
            }
        }
    }

    @Test(
        "stale-if-error allows a stale response for its time, and no longer",
        arguments: Trouble.allCases
    )
    private func staleIfError(trouble: Trouble) async throws {
        try await onEverySeed(0..<5) { simulation in
            let service = try Self.service(simulation, "max-age=10, stale-if-error=20", trouble)

            _ = try await service.text()
            try await service.pass(29)
            let served = try await service.get()
            try await service.pass(2)
            let late = try? await service.get()

            #expect(served.cacheStatus == .stale)
            #expect(served.headers["Age"] == "29")
            #expect(try await served.text() == "1")
            #expect(late?.status.isServerError ?? true)
            #expect(service.sends == 3)
        }
    }

    @Test("a request or a policy may allow stale responses on errors")
    func asked() async throws {
        try await onEverySeed(0..<5) { simulation in
            let service = try Self.service(simulation, "max-age=10", .lost)
            let policy = CachePolicy(staleIfError: .seconds(60))
            let lenient = try Self.service(simulation, "max-age=10", .lost, policy: policy)

            _ = try await service.text()
            _ = try await lenient.text()
            try await service.pass(20)
            let text = try await service.text(["Cache-Control": "stale-if-error=60"])

            #expect(text == "1")
            #expect(try await lenient.text() == "1")
            await #expect(throws: TransportError.self) { try await service.text() }
        }
    }

    @Test(
        "a response that must be revalidated is never served stale",
        arguments: ["must-revalidate", "no-cache"],
        Trouble.allCases
    )
    private func prohibited(directive: String, trouble: Trouble) async throws {
        try await onEverySeed(0..<5) { simulation in
            let freshness =
                "max-age=10, stale-if-error=600, stale-while-revalidate=600, \(directive)"
            let policy = CachePolicy(staleIfError: .seconds(600))
            let service = try Self.service(simulation, freshness, trouble, policy: policy)

            _ = try await service.text()
            try await service.pass(20)
            let response = try? await service.get(["Cache-Control": "max-stale=600"])

            #expect(response?.status.isServerError ?? true)
            #expect(service.sends == 2)
        }
    }

    @Test("a cancelled caller gets no stale response")
    func cancelled() async throws {
        try await onEverySeed(0..<50) { simulation in
            let service = try CachedService(simulation) { request, call in
                if request.headers.contains("X-Slow") {
                    try await call.runtime.sleep(for: .seconds(60))
                }
                let freshness = "max-age=10, stale-if-error=600"
                return HTTP.Response(200, headers: ["Cache-Control": freshness], body: "1")
            }
            _ = try await service.text()
            try await service.pass(20)

            let caller = simulation.runtime.start("caller") {
                await #expect(throws: CancellationError.self) {
                    try await service.text(["X-Slow": "1"])
                }
            }
            try await service.pass(1)
            caller.cancel()
            await caller.value

            #expect(simulation.now.offset == .seconds(21))
        }
    }

    @Test("only-if-cached gets the stored response, or 504")
    func onlyIfCached() async throws {
        try await onEverySeed(0..<5) { simulation in
            let service = try CachedService(simulation)
            let only: HTTP.Headers = ["Cache-Control": "only-if-cached"]
            let lenient: HTTP.Headers = ["Cache-Control": "only-if-cached, max-stale=30"]

            let before = try await service.get(only)
            _ = try await service.text()
            let fresh = try await service.get(only)
            try await service.pass(80)
            let stale = try await service.get(only)
            let accepted = try await service.get(lenient)

            #expect([before, fresh, stale, accepted].map(\.status) == [504, 200, 504, 200])
            #expect(accepted.headers["Age"] == "80")
            #expect(service.sends == 1)
        }
    }

    @Test("only-if-cached gets 504 if the response is evicted meanwhile")
    func forgotten() async throws {
        try await onEverySeed(0..<5) { simulation in
            let store = ForgetfulStore()
            let service = try CachedService(simulation, store: store)

            _ = try await service.text()
            let response = try await service.get(["Cache-Control": "only-if-cached"])

            #expect(response.status == 504)
            #expect(service.sends == 1)
        }
    }

    @Test("stale-while-revalidate serves the stale one, then the new one")
    func whileRevalidating() async throws {
        try await onEverySeed(0..<50) { simulation in
            let fields: HTTP.Headers = ["Cache-Control": "max-age=10, stale-while-revalidate=30"]
            let service = try CachedService(simulation, fields)

            _ = try await service.text()
            try await service.pass(40)
            let stale = try await service.get()
            try await service.pass(1)
            let next = try await service.get()
            try await service.pass(41)
            let late = try await service.get()

            #expect([stale, next, late].map(\.cacheStatus) == [.stale, .hit, .miss])
            #expect(try await stale.text() == "1")
            #expect(try await next.text() == "2")
            #expect(try await late.text() == "3")
        }
    }
}

/// Finds responses, but never has their bodies any more.
private struct ForgetfulStore: CacheStore {
    private let base = MemoryCacheStore()

    func responses(for key: CacheKey) async throws -> [StoredResponse] {
        await base.responses(for: key)
    }
    func body(of response: StoredResponse) async throws -> HTTP.Body? { nil }
    func writer(
        for response: StoredResponse,
        length: Int?
    ) async throws -> (any CacheWriter)? {
        await base.writer(for: response, length: length)
    }
    func update(_ response: StoredResponse) async throws { await base.update(response) }
    func remove(_ response: StoredResponse) async throws { await base.remove(response) }
    func removeAll(for url: String) async throws { await base.removeAll(for: url) }
    func removeAll() async throws { await base.removeAll() }
    func contents() async throws -> [StoredResponse] { await base.contents() }
    func usage() async throws -> CacheUsage { await base.usage() }

    @Test("a revalidation is a call of its own, with its own time limit")
    func background() async throws {
        try await onEverySeed(0..<50) { simulation in
            let service = try CachedService(
                simulation,
                policy: CachePolicy(revalidationLimit: .seconds(5))
            ) { _, call in
                try await call.runtime.sleep(for: .seconds(call.remaining == .seconds(5) ? 60 : 1))
                return HTTP.Response(
                    200,
                    headers: ["Cache-Control": "max-age=10, stale-while-revalidate=99"],
                    body: "1"
                )
            }

            _ = try await service.text()
            try await service.pass(20)
            let stale = try await service.get()
            let began = simulation.runtime.now
            try await service.pass(4)
            let early = service.sink.events.filter { $0.name == "call.ended" }.count
            try await service.pass(2)

            #expect(stale.cacheStatus == .stale)
            #expect(began.offset == .seconds(21))
            let calls = service.sink.events.filter { $0.name == "call.began" }
            #expect(calls.map(\.activity?.parent) == [nil, nil, nil])
            #expect(Set(calls.map(\.call)).count == 3)
            #expect(early == 2)
            let ended = service.sink.events.filter { $0.name == "call.ended" }
            #expect(ended.last?.phase == .ended(.cancelled))
            #expect(ended.last?.instant.offset == .seconds(26))
        }
    }
}
