/// Sends another attempt beside a slow one, and uses the first response.
///
/// For reads where the slowest few of a hundred answers matter. It stands in a retry's place and not
/// beside one, since the two would multiply. A transient outcome (503, a lost connection)
/// has the next attempt sent at once; a permanent one (400) is the call's, as is a
/// success. The other attempts are cancelled then and awaited, so that none outlives the call; what they
/// were answered is released, and the body of the response that is returned stays untouched.
///
/// If all attempts fail, the outcome is the first one's. Where a budget is used up no further attempt is
/// sent, and those under way decide. A cancelled call ends all of them and throws `CancellationError`.
public struct HedgeInterceptor<Input: Interceptable>: Interceptor {
    private let rules: HedgeRules<Input>

    /// Creates an interceptor.
    /// - Parameter policy: When and how often to send beside; ``Call/retryLimit`` bounds it for one call.
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
