import InterceptorKitSigning

extension StoreRequirement where Store == any NonceStore {
    static let nonces: [Self] = []
}
