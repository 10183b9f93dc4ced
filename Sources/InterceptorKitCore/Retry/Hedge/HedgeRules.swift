/// A policy and the latencies measured under it.
final class HedgeRules<Input: Interceptable>: Sendable {
    let policy: HedgePolicy<Input>
    private let latencies = PerAuthority { _ in LatencyWindow() }

    init(_ policy: HedgePolicy<Input>) { self.policy = policy }

    /// The largest number of sends of an input; 1 if it must not be sent several times at once.
    func limit(for input: Input, _ call: Call) -> Int {
        let limit = min(policy.maxAttempts, call.retryLimit ?? .max)
        guard limit > 1, policy.isSuitable(input, call) else { return 1 }
        return Input.isReplayable(input) ? limit : 1
    }

    /// The time after which the next attempt is sent; `nil` means never.
    func delay(to authority: String?, at instant: Runtime.Instant) -> Duration? {
        switch policy.delay.rule {
        case .fixed(let delay): delay
        case .percentile(let rule):
            latencies[authority].delay(rule, at: instant) ?? rule.fallback
        }
    }

    func record(_ latency: Duration, to authority: String?, at instant: Runtime.Instant) {
        guard case .percentile = policy.delay.rule else { return }
        latencies[authority].record(latency, at: instant)
    }
}

extension HedgePolicy {
    private var budgets: [any RetryLimiter] { [budget, sharedBudget].compactMap { $0 } }

    func recordFirstAttempt(to authority: String?, at instant: Runtime.Instant) {
        for budget in budgets { budget.recordFirstAttempt(to: authority, at: instant) }
    }

    func allowsHedge(
        to authority: String?,
        at instant: Runtime.Instant,
        after failure: Classification?
    ) -> Bool {
        budgets.allSatisfy { $0.allowsResend(to: authority, at: instant, after: failure) }
    }

    func note(
        _ classification: Classification,
        to authority: String?,
        after failure: Classification?
    ) {
        for budget in budgets {
            if classification.kind == .success {
                budget.recordSuccess(to: authority, after: failure)
            } else if classification.kind.isServerFailure {
                budget.recordFailure(to: authority, classification)
            }
        }
    }
}
