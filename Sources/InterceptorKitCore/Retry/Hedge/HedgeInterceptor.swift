/// Sends another attempt beside a slow one, and uses the first response.
///
/// Use it for reads whose tail latency matters. It replaces a retry, because the attempts of the two would multiply.
/// After a transient outcome (503, a lost connection) the next attempt is sent at once. A success or a permanent
/// outcome (400) decides the call: the other attempts are then cancelled and awaited, so none outlasts the call, and
/// their responses are released. The body of the returned response stays untouched.
///
/// If all attempts fail, the call has the first attempt's outcome. If a budget is used up, no further attempt is sent,
/// and those under way decide. Cancellation of the call ends all attempts and throws `CancellationError`.
public struct HedgeInterceptor<Input: Interceptable>: Interceptor {
    private let rules: HedgeRules<Input>

    /// Creates an interceptor.
    /// - Parameter policy: The rules for sending hedges, which ``Call/retryLimit`` limits further for one call.
    public init(policy: HedgePolicy<Input>) { rules = HedgeRules(policy) }

    public var placement: Placement? { .hedge }

    public func validate() throws { try rules.policy.validate() }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<Input>
    ) async throws -> Input.Output {
        guard let race = HedgeRace(chain, rules) else { return try await chain.proceed() }
        return try await race.run()
    }
}
