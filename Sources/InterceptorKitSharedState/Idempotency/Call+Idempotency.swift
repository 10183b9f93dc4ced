public import InterceptorKit

private enum IdempotencyLeaseKey: CallKey {
    static let defaultValue: IdempotencyLease? = nil
}

extension Call {
    /// The lease under which an ``IdempotencyInterceptor`` above runs this request; `nil` if it has no key.
    ///
    /// Its `token` lets a database refuse a holder that was overtaken: store it with the effect, in one
    /// transaction that fails if a larger token is there already.
    ///
    /// ```sql
    /// UPDATE orders SET state = 'paid', token = $token WHERE id = $id AND token < $token
    /// ```
    public internal(set) var idempotencyLease: IdempotencyLease? {
        get { self[IdempotencyLeaseKey.self] }
        set { self[IdempotencyLeaseKey.self] = newValue }
    }
}
