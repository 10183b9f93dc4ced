// State that the replicas of a service share: requests that run once, and webhooks.
import InterceptorKit
import InterceptorKitEtcd
import InterceptorKitSharedState
import InterceptorKitSigning

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

private enum ShopError: Error { case overtaken }

private protocol Orders: Sendable {
    func order(of record: String) async throws -> String?
    func lastToken(of record: String) async throws -> Int64?
    func insert(_ order: String, of record: String, token: Int64) async throws
}

private protocol Database: Sendable {
    func transaction<Result: Sendable>(
        _ body: @Sendable (any Orders) async throws -> Result
    ) async throws -> Result
}

func runRequestsOnce(
    _ store: some IdempotencyStore
) -> some Interceptor<HTTP.Request> {
    // snippet.interceptor
    IdempotencyInterceptor(store)
    // snippet.end
}

func limitEachCaller(_ store: some RateLimitStore) -> some Interceptor<HTTP.Request> {
    // snippet.limit
    SharedRateLimitInterceptor(store, quota: RateLimitQuota(100))
    // snippet.end
}

func chooseAPolicy(_ store: some IdempotencyStore) -> some Interceptor<HTTP.Request> {
    // snippet.policy
    var policy = IdempotencyPolicy()
    policy.isKeyRequired = true
    policy.longestWait = .seconds(5)
    policy.lifetime = .seconds(3 * 24 * 3600)
    return IdempotencyInterceptor(store, policy: policy)
    // snippet.end
}

func storeInEtcd(_ transport: some Transport<HTTP.Request>) throws -> EtcdIdempotencyStore {
    // snippet.etcd
    let store = try EtcdIdempotencyStore(
        "orders/idempotency",
        of: ["https://etcd-1.example.com:2379", "https://etcd-2.example.com:2379"],
        pipeline: try Pipeline(transport: transport) {}
    )
    // snippet.end
    return store
}

func noncesInEtcd(
    _ transport: some Transport<HTTP.Request>,
    _ scheme: HMACScheme,
    _ keys: some SigningKeyStore
) throws -> VerifyInterceptor {
    // snippet.nonces
    let nonces = try EtcdNonceStore(
        "orders/nonces",
        of: ["https://etcd-1.example.com:2379", "https://etcd-2.example.com:2379"],
        pipeline: try Pipeline(transport: transport) {}
    )
    let verify = VerifyInterceptor(.hmac(scheme, keys: keys, nonces: nonces))
    // snippet.end
    return verify
}

private func placeOrder(_ database: some Database, _ order: String) async throws -> String {
    // snippet.fencing
    guard let lease = Call.served?.idempotencyLease else { return "no key" }
    return try await database.transaction { orders in
        // An earlier holder has made it, and ended before its response was recorded.
        if let made = try await orders.order(of: lease.key.name) { return made }
        // A later holder has begun, so this one is too late.
        if let last = try await orders.lastToken(of: lease.key.name), last > lease.token {
            throw ShopError.overtaken
        }
        try await orders.insert(order, of: lease.key.name, token: lease.token)
        return order
    }
    // snippet.end
}

func sendWebhooks(
    _ transport: some Transport<HTTP.Request>,
    _ key: SigningKey,
    _ endpoint: HTTP.URL,
    _ event: Data
) async throws -> HTTP.Response {
    // snippet.send
    var policy = RetryPolicy<HTTP.Request>.idempotent
    policy.backoff = Backoff(base: .seconds(5), jitter: .equal)
    let client = try HTTP.Client(transport: transport) {
        RetryInterceptor(policy: policy)
        SignInterceptor(RequestSigner(.standardWebhook, key: key))
    }
    var delivery = HTTP.Request.post(endpoint, body: .bytes(event))
    delivery.headers["webhook-id"] = "msg_2KWPBgLlAfxdpx2AI54pPJ85f4W"
    let response = try await client.send(delivery)
    // snippet.end
    return response
}

func receiveWebhooks(_ secret: String) throws -> VerifyInterceptor {
    // snippet.receive
    let verifier = StandardWebhookVerifier(
        keys: [try VerificationKey(id: "billing", webhookSecret: secret)],
        nonces: NonceCache()
    )
    let verify = VerifyInterceptor(.standardWebhook(verifier))
    // snippet.end
    return verify
}

func processEachEventOnce(
    _ store: some IdempotencyStore,
    _ verifier: StandardWebhookVerifier
) -> [any Interceptor<HTTP.Request>] {
    // snippet.webhooks
    var policy = IdempotencyPolicy()
    policy.field = "webhook-id"
    policy.isKeyRequired = true
    let interceptors: [any Interceptor<HTTP.Request>] = [
        VerifyInterceptor(.standardWebhook(verifier)),
        IdempotencyInterceptor(store, policy: policy),
    ]
    // snippet.end
    return interceptors
}
