/// A policy and what goes with it, behind one reference, because every call looks at it.
final class RetryRules<Input: Interceptable>: Sendable {
    let policy: RetryPolicy<Input>

    init(_ policy: RetryPolicy<Input>) { self.policy = policy }

    /// Notes a call's first attempt.
    /// - Returns: Where it goes, if there is a budget that asks for it.
    func begin(_ chain: InterceptorChain<Input>, at instant: Runtime.Instant) -> String? {
        guard let budget = policy.budget else { return nil }
        // Lent from the frame: the chain's own property hands out a copy.
        let authority = Input.authority(of: chain.frame.input)
        budget.recordFirstAttempt(to: authority, at: instant)
        return authority
    }

    /// Whether a first attempt's output is a success at first sight, which is noted then.
    func recognises(
        _ output: Input.Output,
        of chain: InterceptorChain<Input>,
        from authority: String?
    ) -> Bool {
        guard policy.classifier.recognises(output, of: chain.call) else { return false }
        if let condition = policy.alsoRetries {
            let input = chain.input
            let outcome = Outcome(input: input, result: .success(output), call: chain.call)
            if condition(outcome) { return false }
        }
        policy.budget?.recordSuccess(to: authority, after: nil)
        return true
    }

    /// The largest number of sends, given what the call asks for.
    func limit(for call: Call) -> Int {
        guard let limit = call.retryLimit else { return policy.maxAttempts }
        return max(1, policy.allowsManyAttempts ? limit : min(limit, RetryLimits.usualAttempts))
    }
}

enum RetryLimits {
    /// More attempts than these need a word that they are meant (gRFC A6 cuts off here).
    static let usualAttempts = 5
    /// What is kept of however many attempts there are.
    static let keptAttempts = 32
}
