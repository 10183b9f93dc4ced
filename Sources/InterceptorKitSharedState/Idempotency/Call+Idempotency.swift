public import InterceptorKit

private enum IdempotencyLeaseKey: CallKey {
    static let defaultValue: IdempotencyLease? = nil
}

extension Call {
    /// The lease under which an ``IdempotencyInterceptor`` above runs this request; `nil` if it has no key.
    ///
    /// The `name` of its key is the same for all repetitions of the request: store it with the effect, in one
    /// transaction, under a unique index, and a request that runs again finds the effect that took place.
    ///
    /// ```sql
    /// INSERT INTO payments (request, token, amount) VALUES ($name, $token, $amount)
    /// ON CONFLICT (request) DO NOTHING
    /// ```
    ///
    /// Its `token` grows with each run. It lets a database refuse a holder that was overtaken, where a request changes
    /// what is there: `UPDATE orders SET state = 'paid', token = $token WHERE id = $id AND token < $token`.
    public internal(set) var idempotencyLease: IdempotencyLease? {
        get { self[IdempotencyLeaseKey.self] }
        set { self[IdempotencyLeaseKey.self] = newValue }
    }
}
