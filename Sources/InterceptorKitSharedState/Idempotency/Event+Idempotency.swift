public import InterceptorKit

extension Event.Name {
    /// A recorded response was returned to a repetition.
    public static let idempotencyReplayed: Self = "idempotency.replayed"
    /// A request was not run: `reason`, which is the `code` of the problem details.
    public static let idempotencyRefused: Self = "idempotency.refused"
    /// A holder lost its lease before it had recorded a response, and records none.
    public static let idempotencyLeaseLost: Self = "idempotency.lease_lost"
}
