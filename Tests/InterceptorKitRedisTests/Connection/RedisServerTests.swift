#if Redis
import Expectations
import BoundedWaits
import Foundation
import InterceptorKit
import InterceptorKitSharedState
import InterceptorKitSigning
import TestRun
import Testing

#if RedisTLS
import NIOSSL
#endif

@testable import InterceptorKitRedis

@Suite(
    "RedisClient, with a server",
    .tags(.sockets, .process),
    .serializedAcrossSuites,
    .enabled(if: RedisServer.isInstalled, Comment(rawValue: RedisServer.reason)),
    .timeLimit(.minutes(10))
)
struct RedisServerTests {
    @Test("speaks RESP3 with the database that it chose")
    func commands() async throws {
        let server = try await RedisServer()
        let client = try server.client { $0.database = 3 }
        defer { client.close() }

        let set = try await client.send("SET", "a", "1").string
        let number = try await client.send("INCR", "a").integer
        let map = try await client.send("CONFIG", "GET", "maxmemory")
        let info = try await client.send("CLIENT", "INFO").string

        expectEqual(set, "OK")
        expectEqual(number, 2)
        expectEqual(map["maxmemory"]?.string, "0")
        expectEqual(info?.contains("db=3"), true)
        expectEqual(info?.contains("name=InterceptorKit"), true)
    }

    @Test("authenticates as a user, and says when it is refused")
    func credentials() async throws {
        let user = ["--user", "app", "on", ">sesame", "~*", "+@all", "--user", "default", "off"]
        let server = try await RedisServer(user)
        let right = try server.client { $0.credential = .init(username: "app", password: "sesame") }
        let wrong = try server.client { $0.credential = .init(username: "app", password: "other") }
        let none = try server.client()

        let codes = [
            await failure { try await right.ping() }, await failure { try await wrong.ping() },
            await failure { try await none.ping() },
        ]

        expectEqual(codes, [nil, .notAuthenticated, .notAuthenticated])
    }

    @Test("needs no more of a user than the documentation says")
    func permissions() async throws {
        let server = try await RedisServer([
            "--user", "app", "on", ">sesame", "~interceptorkit:*", "+@scripting", "+@read",
            "+@write", "+@connection", "+time", "+info",
        ])
        let client = try server.client {
            $0.credential = .init(username: "app", password: "sesame")
        }
        let key = IdempotencyRecordKey(principal: "a", route: "POST /", key: "1")
        let records = RedisIdempotencyStore(client)
        let terms = IdempotencyTerms(lease: .seconds(60), lifetime: .seconds(60), quota: 1)
        let now = Date()

        let nonce = try await RedisNonceStore(client, acceptsWithoutHistory: true)
            .note("n", of: "a", until: now + 60, at: now)
        let permit = try await RedisRateLimitStore(client)
            .take(1, of: RateLimitQuota(1, burst: 1), for: "a", waitingAtMost: .zero)
        let claim =
            try await records
            .claim(key, holder: "h", fingerprint: Data(), terms: terms)

        expectEqual(nonce, .fresh)
        expectEqual(permit, .admitted(after: .zero, remaining: 0))
        guard case .granted(let lease) = claim else {
            Issue.record("The claim is \(claim).")
            return
        }
        try await expectTrue(records.extend(lease, terms: terms))
        try await expectTrue(records.complete(lease, with: Data(), keepingFor: .seconds(60)))
    }

    @Test("refuses a cluster")
    func cluster() async throws {
        let server = try await RedisServer(["--cluster-enabled", "yes"])
        let client = try server.client()

        let code = await failure { try await client.ping() }

        expectEqual(code, .unsupportedServer)
    }

    @Test("leaves a server that has become a replica")
    func demotion() async throws {
        let server = try await RedisServer()
        let client = try server.client { $0.connections = 1 }
        defer { client.close() }
        let limits = RedisRateLimitStore(client)
        func take() async -> RedisError.Code? {
            await failure {
                try await limits.take(1, of: RateLimitQuota(9), for: "a", waitingAtMost: .zero)
            }
        }
        let before = await take()

        _ = try await client.send("REPLICAOF", "127.0.0.1", "1")
        let after = [await take(), await take()]

        expectEqual(before, nil)
        expectEqual(after, [.refused, .unsupportedServer])
    }

    @Test("reads replies that come in many pieces")
    func largeReplies() async throws {
        let server = try await RedisServer()
        let client = try server.client()
        defer { client.close() }
        let value = String(repeating: "0123456789", count: 300_000)

        _ = try await client.send("SET", "large", value)
        let replies = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask { try await client.send("GET", "large").string == value }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }

        expectEqual(replies, Array(repeating: true, count: 8))
    }

    @Test("ends a connection whose reply is above the limit")
    func replyLimit() async throws {
        let server = try await RedisServer()
        let client = try server.client { $0.replyLimit = 20_000 }
        _ = try await client.send("SET", "large", String(repeating: "a", count: 30_000))

        let code = await failure { _ = try await client.send("GET", "large") }
        let next = await failure { try await client.ping() }

        expectEqual(code, .outcomeUnknown)
        expectEqual(next, nil)
    }

    @Test("goes on after the server was killed and started again")
    func restart() async throws {
        let server = try await RedisServer()
        let client = try server.client { $0.timeout = .milliseconds(500) }
        try await client.ping()

        server.kill()
        let away = await failure { try await client.ping() }
        try await server.restart()
        let isBack = await eventually { await failure { try await client.ping() } == nil }

        expectTrue(away == .unreachable || away == .outcomeUnknown)
        expectTrue(isBack)
    }

    @Test("waits for a server that is silent no longer than the time limit")
    func silence() async throws {
        let server = try await RedisServer()
        let client = try server.client {
            $0.timeout = .milliseconds(200)
            $0.connections = 1
        }
        try await client.ping()

        server.pause()
        let clock = Runtime.live
        let start = clock.now
        let code = await failure { try await client.ping() }
        let time = start.duration(to: clock.now)
        server.resume()

        expectEqual(code, .outcomeUnknown)
        expectTrue(time >= .milliseconds(200))
        expectTrue(time < .seconds(5))
    }

    @Test("keeps no connection and no task after it was closed")
    func closing() async throws {
        let server = try await RedisServer()
        let observer = try server.client { $0.connections = 1 }
        let client = try server.client { $0.connections = 4 }
        for _ in 0..<8 { try await client.ping() }
        let before = try await observer.send("CLIENT", "LIST").string

        client.close()
        let areClosed = try await eventually {
            let clients = try await observer.send("CLIENT", "LIST").string
            return clients?.split(separator: "\n").count == 1
        }

        expectEqual(before?.split(separator: "\n").count, 5)
        expectTrue(areClosed)
    }

    #if RedisTLS
    @Test("speaks TLS with a server whose certificate it trusts, and no other")
    func tls() async throws {
        let certificate = try unwrap(TestCertificate())
        let server = try await RedisServer(certificate: certificate)
        var trusting = TLSConfiguration.makeClientConfiguration()
        trusting.trustRoots = .file(certificate.certificate)
        let trusted = try server.client { $0.tls = trusting }
        let untrusted = try server.client { $0.tls = .makeClientConfiguration() }
        let plain = try server.client { $0.timeout = .milliseconds(500) }

        let codes = [
            await failure { try await trusted.ping() },
            await failure { try await untrusted.ping() }, await failure { try await plain.ping() },
        ]

        expectEqual(codes, [nil, .unreachable, .unreachable])
    }
    #endif
}
#endif
