#if Redis
import Foundation
import InterceptorKit
import InterceptorKitAuthentication
import InterceptorKitRedis
import InterceptorKitSharedState
import InterceptorKitSigning
import InterceptorKitTesting
import TestRun
import Testing

@Suite(
    "Guide: stores in Redis",
    .tags(.sockets, .process),
    .serializedAcrossSuites,
    .enabled(if: RedisServer.isInstalled, Comment(rawValue: RedisServer.reason)),
    .timeLimit(.minutes(10))
)
struct RedisGuideTests {
    @Test("one client serves all stores")
    func stores() throws {
        let redis = try RedisClient("rediss://limits:secret@redis.example.com:6380")
        let nonces = RedisNonceStore(redis)
        let limits = RedisRateLimitStore(redis)

        #expect("\(nonces)" == "RedisNonceStore(RedisClient(redis.example.com:6380))")
        #expect("\(limits)" == "RedisRateLimitStore(RedisClient(redis.example.com:6380))")
    }

    @Test("replicas share a credential")
    func credential() throws {
        let redis = try RedisClient("redis://127.0.0.1")
        let endpoint = TokenEndpoint(
            "https://login.example.com/token",
            client: .public(id: "app"),
            pipeline: try Pipeline(transport: ScriptedTransport<HTTP.Request>(replies: [])) {}
        )
        let refreshing = RefreshTokenSource(at: endpoint)

        let store = try RedisCredentialStore(redis, key: "orders")
        let tokens = StoredCredentialSource(in: store, refreshedBy: refreshing)

        #expect("\(store)" == "RedisCredentialStore(orders)")
        withExtendedLifetime(tokens) {}
    }

    @Test("a verifier takes the store of nonces")
    func verifier() throws {
        let redis = try RedisClient("redis://127.0.0.1")
        let keys = FixedVerificationKeys([])

        let verifier = MessageSignatureVerifier(keys: keys, nonces: RedisNonceStore(redis))

        #expect("\(verifier)".contains("RedisNonceStore(RedisClient(127.0.0.1:6379))"))
    }

    @Test("a service limits each caller by all its replicas")
    func service() async throws {
        let server = try await RedisServer()
        let keys = FixedSigningKeys([
            SigningKey(id: "app-1", secret: "not for production".utf8)
        ])
        let redis = try server.client()
        let transport = ScriptedTransport<HTTP.Request>(
            replies: [.status(200), .status(200), .status(200)]
        )
        let nonces = RedisNonceStore(redis, acceptsWithoutHistory: true)
        let pipeline = try Pipeline(transport: transport) {
            VerifyInterceptor(.hmac(HMACScheme(), keys: keys, nonces: nonces))
            SharedRateLimitInterceptor(
                RedisRateLimitStore(redis),
                quota: RateLimitQuota(2, per: .seconds(3600))
            )
        }
        let client = try Pipeline(transport: Passing(pipeline: pipeline)) {
            SignInterceptor(RequestSigner(HMACScheme(), keys: keys))
        }

        var statuses: [Int] = []
        for _ in 0..<3 {
            do {
                statuses.append(try await client.run(.get("https://api.example.com/")).status.code)
            } catch {
                statuses.append(HTTP.Response(answering: error)?.status.code ?? 0)
            }
        }

        #expect(statuses == [200, 200, 429])
    }

    @Test("limits and records of idempotent requests are lines of a chain")
    func lines() async throws {
        let server = try await RedisServer()
        let redis = try server.client()

        let pipeline = try Pipeline(transport: ScriptedTransport(replies: [.status(201)])) {
            SharedRateLimitInterceptor(
                RedisRateLimitStore(redis),
                quota: RateLimitQuota(100, per: .seconds(1))
            )
            IdempotencyInterceptor(RedisIdempotencyStore(redis))
        }
        let request = HTTP.Request.post(
            "https://api.example.com/orders",
            headers: ["Idempotency-Key": "\"7\""]
        )
        var call = pipeline.makeCall()
        call.principal = Principal("app-1")
        let first = try await pipeline.run(request, call: call)
        let second = try await pipeline.run(request, call: call)

        #expect([first.status, second.status] == [201, 201])
    }
}

/// Sends to a service in this process.
private struct Passing: Transport {
    let pipeline: Pipeline<HTTP.Request>

    nonisolated(nonsending) func send(
        _ request: HTTP.Request,
        call: Call
    ) async throws -> HTTP.Response {
        try await pipeline.run(request)
    }
}
#endif
