#if Redis
import Expectations
import Foundation
import InterceptorKit
import InterceptorKitSigning
import TestRun
import Testing

@testable import InterceptorKitRedis

@Suite(
    "RedisNonceStore",
    .tags(.sockets, .process),
    .serializedAcrossSuites,
    .enabled(if: RedisServer.isInstalled, Comment(rawValue: RedisServer.reason)),
    .timeLimit(.minutes(10))
)
struct RedisNonceStoreTests {
    private let now = Date(timeIntervalSince1970: 1_764_000_000)

    @Test("a nonce is fresh once, for one key, on every replica")
    func replay() async throws {
        let server = try await RedisServer()
        let stores = try (0..<3).map { _ in
            RedisNonceStore(try server.client(), acceptsWithoutHistory: true)
        }

        var results: [NonceCheckResult] = []
        for store in stores {
            results.append(try await store.note("n", of: "a", until: now + 60, at: now))
        }
        results.append(try await stores[0].note("n", of: "b", until: now + 60, at: now))

        expectEqual(results, [.fresh, .replayed, .replayed, .fresh])
    }

    @Test("keeps a key of one length for the nonce's time, by the server's clock")
    func expiry() async throws {
        let server = try await RedisServer()
        let client = try server.client()
        let store = RedisNonceStore(client, prefix: "app", acceptsWithoutHistory: true)
        let nonce = String(repeating: "n", count: 256)

        _ = try await store.note(nonce, of: "a", until: now + 60, at: now)
        let keys = try await client.send("KEYS", "*").list?.compactMap(\.string) ?? []
        let left = try await client.send("PTTL", keys.first ?? "").integer ?? 0

        expectEqual(keys.map(\.utf8.count), ["app:nonce:".utf8.count + 64])
        expectTrue((1...60_000).contains(left))
    }

    @Test("refuses on a new server until a nonce's whole time has passed")
    func history() async throws {
        let server = try await RedisServer()
        let client = try server.client()
        let store = RedisNonceStore(client)

        let early = await redisError {
            try await store.note("n", of: "a", until: now + 60, at: now)
        }
        try await client.backdateNonces()
        let later = try await store.note("n", of: "a", until: now + 60, at: now)

        expectEqual(early?.code, .historyUnknown)
        let wait = try unwrap(early?.retryAfter)
        expectTrue(wait > .seconds(50) && wait <= .seconds(60))
        expectEqual(later, .fresh)
    }

    @Test("refuses again after the server lost its data")
    func lostData() async throws {
        let server = try await RedisServer()
        let client = try server.client()
        let store = RedisNonceStore(client)
        try await client.backdateNonces()
        _ = try await store.note("n", of: "a", until: now + 60, at: now)

        try await server.restart()
        let replay = await redisError {
            try await store.note("n", of: "a", until: now + 60, at: now)
        }

        expectEqual(replay?.code, .historyUnknown)
    }

    @Test("refuses again after the server went back to a snapshot")
    func snapshot() async throws {
        let server = try await RedisServer()
        let client = try server.client()
        let store = RedisNonceStore(client)
        try await client.backdateNonces()
        _ = try await client.send("SAVE")
        let first = try await store.note("n", of: "a", until: now + 60, at: now)

        try await server.restart()
        let replay = await redisError {
            try await store.note("n", of: "a", until: now + 60, at: now)
        }

        expectEqual(first, .fresh)
        expectEqual(replay?.code, .historyUnknown)
    }

    @Test("goes on after a restart of a server with an append-only file")
    func restart() async throws {
        let server = try await RedisServer(keepsData: true)
        let client = try server.client()
        let store = RedisNonceStore(client)
        try await client.backdateNonces()
        let first = try await store.note("n", of: "a", until: now + 60, at: now)

        try await server.restart()
        let replay = try await store.note("n", of: "a", until: now + 60, at: now)

        expectEqual([first, replay], [.fresh, .replayed])
    }

    @Test("throws when the server is away, so that nothing is accepted")
    func away() async throws {
        let server = try await RedisServer()
        let client = try server.client { $0.timeout = .milliseconds(200) }
        let store = RedisNonceStore(client, acceptsWithoutHistory: true)

        server.kill()
        let failed = await redisError {
            try await store.note("n", of: "a", until: now + 60, at: now)
        }

        expectEqual(failed?.code, .unreachable)
    }

    @Test("refuses a server that removes keys, unless told to accept it")
    func eviction() async throws {
        let server = try await RedisServer([
            "--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru",
        ])
        let client = try server.client()
        let careful = RedisNonceStore(client, acceptsWithoutHistory: true)
        let told = RedisNonceStore(client, acceptsWithoutHistory: true, acceptsEviction: true)

        let failed = await redisError {
            try await careful.note("n", of: "a", until: now + 60, at: now)
        }
        let result = try await told.note("m", of: "a", until: now + 60, at: now)

        expectEqual(failed?.code, .evictsKeys)
        expectEqual(result, .fresh)
    }

    @Test("is full when the server has no memory left")
    func full() async throws {
        let server = try await RedisServer(["--maxmemory", "1"])
        let store = RedisNonceStore(try server.client(), acceptsWithoutHistory: true)

        let result = try await store.note("n", of: "a", until: now + 60, at: now)

        expectEqual(result, .full)
    }
}
#endif
