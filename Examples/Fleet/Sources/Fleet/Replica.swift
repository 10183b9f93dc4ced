import Hummingbird
import InterceptorKit
import InterceptorKitHummingbird
import InterceptorKitRedis
import InterceptorKitSharedState
import InterceptorKitSigning

extension Fleet {
    /// Serves `POST /orders`, as one of several replicas behind a proxy.
    static func serve(port: Int, redis: String, ledger: Ledger) async throws {
        let redis = try RedisClient(redis)
        let nonces = RedisNonceStore(redis, acceptsWithoutHistory: true)
        let records = RedisIdempotencyStore(redis)
        let limits = RedisRateLimitStore(redis)
        var policy = IdempotencyPolicy()
        policy.isKeyRequired = true
        policy.lease = .seconds(3)
        policy.longestWait = .seconds(1)
        // The ledger refuses a second order of a record.
        policy.runsAgain = true

        let router = Router()
        router.add(
            middleware: try ChainMiddleware(origin: "http://shop.example") {
                VerifyInterceptor(
                    .hmac(HMACScheme(), keys: FixedSigningKeys([key]), nonces: nonces)
                )
                SharedRateLimitInterceptor(limits, quota: RateLimitQuota(5000))
                IdempotencyInterceptor(records, policy: policy)
            }
        )
        router.post("orders") { request, context in
            guard let lease = Call.served?.idempotencyLease else {
                throw HTTPError(.badRequest)
            }
            let content = try await request.body.collect(upTo: 1 << 16)
            return try ledger.make(
                String(buffer: content),
                of: lease.key.name,
                token: lease.token
            )
        }
        var application = Application(
            router: router,
            configuration: .init(address: .hostname("127.0.0.1", port: port))
        )
        application.logger.logLevel = .critical
        try await application.runService()
    }
}
