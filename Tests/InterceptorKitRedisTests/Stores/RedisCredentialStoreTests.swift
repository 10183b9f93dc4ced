#if Redis
import CredentialFleet
import Expectations
import InterceptorKit
import InterceptorKitAuthentication
import InterceptorKitConcurrency
import TestRun
import Testing

@testable import InterceptorKitRedis

@Suite(
    "RedisCredentialStore over a real server",
    .tags(.sockets, .process),
    .serializedAcrossSuites,
    .enabled(if: RedisServer.isInstalled, Comment(rawValue: RedisServer.reason)),
    .enabled(if: Fleet.isBuilt, "the worker's program was not built"),
    .timeLimit(.minutes(10))
)
struct RedisCredentialStoreTests {
    @Test("saves over a matching version, clears, and notes each token once")
    func contract() async throws {
        let server = try await RedisServer()

        try await Fleet.checkContract(of: RedisCredentialStore(server.client(), key: "a"))
    }

    @Test("gives no version twice, also after the server lost its data")
    func versions() async throws {
        let server = try await RedisServer()
        let store = try RedisCredentialStore(server.client(), key: "a")
        let first = try await store.save(.bearer("a"), over: nil)
        try await server.restart()

        try await expectTrue(store.load() == nil)
        let second = try await store.save(.bearer("a"), over: nil)

        expectTrue(first != nil && second != nil && first != second)
        try await expectEqual(store.save(.bearer("b"), over: first), nil)
    }

    @Test("lets one hold its lock for longer than a lease, and then the next")
    func lock() async throws {
        let server = try await RedisServer()
        let client = try server.client()
        func store(waiting limit: Duration) throws -> RedisCredentialStore {
            try RedisCredentialStore(client, key: "a", lease: .seconds(1), lockTimeout: limit)
        }
        let (holder, impatient) = (try store(waiting: .zero), try store(waiting: .zero))
        // Another key, which is no lock.
        _ = try await RedisCredentialStore(client, key: "a:lock").save(.bearer("b"), over: nil)

        try await holder.withLock {
            // Until the server has extended it: it would end within a second.
            var left: Int64? = 0
            for _ in 0..<1000 where left ?? 0 < 900 {
                left = try await client.send("PTTL", "interceptorkit:credential-lock:a").integer
            }
            let error = await #expect(throws: CredentialStoreError.self) {
                try await impatient.withLock {}
            }
            expectEqual(error?.code, .lockTimedOut)
        }
        try await impatient.withLock {}
        // Of one who died.
        _ = try await client.send("SET", "interceptorkit:credential-lock:a", "x", "PX", "50")
        try await store(waiting: .seconds(60)).withLock {}
    }

    @Test("says what holds while the server is away or forgets")
    func away() async throws {
        let server = try await RedisServer()
        let store = try RedisCredentialStore(server.client(), key: "a")
        _ = try await store.save(.bearer("a"), over: nil)
        let forgetting = try await RedisServer([
            "--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru",
        ])
        server.kill()

        for store in [store, try RedisCredentialStore(forgetting.client(), key: "a")] {
            let error = await #expect(throws: CredentialStoreError.self) { try await store.load() }

            expectEqual(error?.code, .unreachable)
            expectEqual(error?.message.contains("stays in use"), true)
            expectEqual(error?.message.contains("acceptsEviction"), false)
        }
    }

    @Test("leaves what is no credential of its own as it is")
    func corrupt() async throws {
        let server = try await RedisServer()
        let client = try server.client()
        let store = try RedisCredentialStore(client, key: "a")
        _ = try await store.save(.bearer("a"), over: nil)
        _ = try await client.send("HSET", "interceptorkit:credential:a", "credential", "{}")

        let error = await #expect(throws: CredentialStoreError.self) { try await store.load() }

        expectEqual(error?.code, .corrupt)
        expectTrue(!"\(error as Any)".contains("{}"))
        expectEqual("\(store)", "RedisCredentialStore(a)")
    }

    @Test("uses no refresh token twice when 2 of 8 processes are killed")
    func kills() async throws {
        let server = try await RedisServer()

        try await Fleet.checkKills(
            "redis",
            store: RedisCredentialStore(server.client(), key: "fleet"),
            arguments: ["redis", "fleet@\(server.url)"]
        )
    }
}
#endif
