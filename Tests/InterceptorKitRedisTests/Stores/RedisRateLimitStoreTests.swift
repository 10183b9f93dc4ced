#if Redis
import Expectations
import InterceptorKit
import InterceptorKitSharedState
import TestRun
import Testing

@testable import InterceptorKitRedis

@Suite(
    "RedisRateLimitStore",
    .tags(.sockets, .process),
    .serializedAcrossSuites,
    .enabled(if: RedisServer.isInstalled, Comment(rawValue: RedisServer.reason)),
    .timeLimit(.minutes(10))
)
struct RedisRateLimitStoreTests {
    @Test("admits a burst over all replicas, and then rejects with the wait")
    func burst() async throws {
        let server = try await RedisServer()
        let stores = try (0..<2).map { _ in RedisRateLimitStore(try server.client()) }
        let quota = RateLimitQuota(4, per: .seconds(3600))

        var remaining: [Int] = []
        var rejected: Duration?
        for number in 0..<5 {
            switch try await stores[number % 2].take(1, of: quota, for: "a", waitingAtMost: .zero) {
            case .admitted(_, let left): remaining.append(left)
            case .rejected(let wait): rejected = wait
            }
        }

        expectEqual(remaining, [3, 2, 1, 0])
        let wait = try unwrap(rejected)
        expectTrue(wait > .seconds(800) && wait <= .seconds(900))
    }

    @Test("keeps a key of one length until the limit is full again")
    func expiry() async throws {
        let server = try await RedisServer()
        let client = try server.client()
        let store = RedisRateLimitStore(client, prefix: "app")
        let quota = RateLimitQuota(10, per: .seconds(100))

        _ = try await store.take(3, of: quota, for: "a", waitingAtMost: .zero)
        let keys = try await client.send("KEYS", "*").list?.compactMap(\.string) ?? []
        let left = try await client.send("PTTL", keys.first ?? "").integer ?? 0

        expectEqual(keys.map(\.utf8.count), ["app:rate:".utf8.count + 64])
        expectTrue((1...30_002).contains(left))
    }

    @Test("admits a burst again after the server lost its data, and no more")
    func restart() async throws {
        let server = try await RedisServer()
        let store = RedisRateLimitStore(try server.client())
        let quota = RateLimitQuota(2, per: .seconds(3600))
        _ = try await store.take(2, of: quota, for: "a", waitingAtMost: .zero)

        try await server.restart()
        let first = try await store.take(2, of: quota, for: "a", waitingAtMost: .zero)
        let second = try await store.take(1, of: quota, for: "a", waitingAtMost: .zero)

        expectEqual(first, .admitted(after: .zero, remaining: 0))
        expectTrue(second != first)
    }

    @Test("a clock that was set back stops a limit no longer than it may wait")
    func clock() async throws {
        let server = try await RedisServer()
        let client = try server.client()
        let store = RedisRateLimitStore(client)
        let quota = RateLimitQuota(10, per: .seconds(10))
        _ = try await store.take(1, of: quota, for: "a", waitingAtMost: .zero)
        let key = try await client.send("KEYS", "*").list?.first?.string ?? ""
        // As it would stand there after the clock was set back by years.
        _ = try await client.send("SET", key, "999999999999999")

        let decision = try await store.take(1, of: quota, for: "a", waitingAtMost: .zero)

        expectEqual(decision, .rejected(retryAfter: .seconds(1)))
    }
}
#endif
