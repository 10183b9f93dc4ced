/// Sends another attempt beside a slow one, and uses the first response.
///
/// Use it for reads for which the slowest few responses of a hundred matter. It replaces a retry, because the
/// two would multiply. After a transient outcome (503, a lost connection) the next attempt is sent at once; a
/// permanent one (400) is the call's, and so is a success. Then the other attempts are cancelled and awaited,
/// so none outlasts the call. Their responses are released, and the body of the returned response stays
/// untouched.
///
/// If all attempts fail, the call has the first one's outcome. If a budget is used up, no further attempt is
/// sent, and those under way decide. Cancelling the call ends all of them and throws `CancellationError`.
public struct HedgeInterceptor<Input: Interceptable>: Interceptor {
    private let rules: HedgeRules<Input>

    /// Creates an interceptor.
    /// - Parameter policy: When and how often hedges are sent; ``Call/retryLimit`` limits them for one
    ///   call.
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
