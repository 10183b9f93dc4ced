import InterceptorKitSharedState

extension StoreRequirement where Store == any IdempotencyStore {
    static let idempotency: [Self] = []
}
