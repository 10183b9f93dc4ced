import Expectations
import InterceptorKit
import InterceptorKitCaching
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import TestSupport
import Testing

@Suite("CacheHandler and concurrent identical requests")
struct CachePassageCollapsingTests {
    /// A service that takes a second for a head.
    private static func service(
        _ simulation: Simulation,
        _ fields: HTTP.Headers,
        _ body: @escaping @Sendable (Runtime) -> HTTP.Body
    ) throws -> CachedService {
        let policy = CachePolicy(collapsingTimeout: .seconds(3600))
        return try CachedService(simulation, policy: policy) { _, call in
            try await call.runtime.sleep(for: .seconds(1))
            return HTTP.Response(200, headers: fields, body: body(call.runtime))
        }
    }

    @Test(
        "an endless body delays no other caller",
        arguments: [
            ["Cache-Control": "no-store"], ["Content-Type": "application/x-ndjson"],
            ["Cache-Control": "max-age=60", "Content-Type": "text/event-stream"],
        ] as [HTTP.Headers]
    )
    func endless(fields: HTTP.Headers) async throws {
        try await onEverySeed(0..<50) { simulation in
            let service = try Self.service(simulation, fields) {
                .oneShot(DrippingStream($0, "data: x\n\n"))
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<3 {
                    group.addTask {
                        let response = try await service.get()
                        try require(simulation.now.offset <= .seconds(2))
                        await response.discard()
                    }
                }
                try await group.waitForAll()
            }

            try requireEqual(service.client.openBodies, 0)
        }
    }

    @Test("a waiter with an earlier deadline fails at its own deadline")
    func deadline() async throws {
        try await onEverySeed(0..<50) { simulation in
            let service = try CachedService(simulation) { _, call in
                try await call.runtime.sleep(for: .seconds(60))
                return HTTP.Response(200, headers: ["Cache-Control": "max-age=3600"], body: "1")
            }
            async let first = service.text()
            try await service.pass(1)

            await #expect(throws: TimeoutError.self) {
                try await service.client.send(.get(orders), timeout: .seconds(2)).text()
            }
            try requireEqual(simulation.now.offset, .seconds(3))
            try await requireEqual(first, "1")
            try requireEqual(service.sends, 1)
        }
    }

    @Test("a caller that leaves its body unread delays no other caller")
    func unread() async throws {
        try await onEverySeed(0..<50) { simulation in
            let fields: HTTP.Headers = ["Cache-Control": "max-age=60"]
            let service = try Self.service(simulation, fields) { _ in
                .oneShot(CountingStream(chunks: 3, of: 1))
            }
            async let idle = service.get()
            async let second = service.text()
            let third = try await service.text()

            try await requireEqual(second, "aaa")
            try requireEqual(third, "aaa")
            try requireEqual(service.sends, 1)
            try requireEqual(simulation.now.offset, .seconds(1))
            await (try idle).discard()
            try requireEqual(service.client.openBodies, 0)
        }
    }

    @Test("an error of the request is given once to all who waited")
    func failing() async throws {
        try await onEverySeed(0..<50) { simulation in
            let service = try CachedService(simulation) { _, call in
                try await call.runtime.sleep(for: .seconds(1))
                throw TransportError(.cannotConnect, "Refused.")
            }
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        await #expect(throws: TransportError.self) { try await service.text() }
                    }
                }
            }

            try requireEqual(service.sends, 1)
            try requireEqual(simulation.now.offset, .seconds(1))
        }
    }

    @Test("an interrupted body fails once for all who waited")
    func breaking() async throws {
        try await onEverySeed(0..<50) { simulation in
            let service = try Self.service(simulation, ["Cache-Control": "max-age=60"]) {
                .oneShot(SlowText("never all of it", $0, pause: 3, isCut: true))
            }
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        await #expect(throws: TransportError.self) { try await service.text() }
                    }
                }
            }

            try requireEqual(service.sends, 1)
            try requireEqual(service.client.openBodies, 0)
        }
    }

    @Test("users don't wait for one another")
    func apart() async throws {
        try await onEverySeed(0..<50) { simulation in
            let service = try CachedService(simulation) { request, call in
                try await call.runtime.sleep(for: .seconds(1))
                let user = request.headers["Authorization"] ?? "nobody"
                let fields: HTTP.Headers = ["Cache-Control": "max-age=60"]
                return HTTP.Response(200, headers: fields, body: .text(user))
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for user in ["a", "b", "a", "b", "c"] {
                    group.addTask {
                        let text = try await service.text(["Authorization": user])
                        try requireEqual(text, user)
                    }
                }
                try await group.waitForAll()
            }

            try requireEqual(service.sends, 3)
        }
    }

    @Test("a POST during a response keeps the response from being stored")
    func outdated() async throws {
        try await onEverySeed(0..<200) { simulation in
            let version = Lock(1)
            let service = try CachedService(simulation) { request, call in
                if request.method == .post {
                    version.withLock { $0 += 1 }
                    return HTTP.Response(204)
                }
                let text = "\(version.withLock { $0 })"
                try await call.runtime.sleep(for: .seconds(2))
                let fields: HTTP.Headers = ["Cache-Control": "max-age=60"]
                return HTTP.Response(200, headers: fields, body: .text(text))
            }
            async let first = service.text()
            async let second = service.text()
            try await service.pass(1)
            _ = try await service.client.send(.post(orders, body: "x"))
            _ = try await (first, second)

            try await requireEqual(service.text(), "2")
        }
    }

    @Test("a failing server is asked once for all callers of a stale response")
    func staleForAll() async throws {
        try await onEverySeed(0..<50) { simulation in
            let fails = Lock(false)
            let service = try CachedService(simulation) { _, call in
                try await call.runtime.sleep(for: .seconds(1))
                if fails.withLock({ $0 }) { return HTTP.Response(503) }
                let freshness = "max-age=10, stale-if-error=600"
                return HTTP.Response(200, headers: ["Cache-Control": freshness], body: "1")
            }
            _ = try await service.text()
            try await service.pass(20)
            fails.withLock { $0 = true }

            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<4 { group.addTask { try await service.text() } }
                for try await text in group { try requireEqual(text, "1") }
            }

            try requireEqual(service.sends, 2)
            try requireEqual(simulation.now.offset, .seconds(22))
        }
    }
}
