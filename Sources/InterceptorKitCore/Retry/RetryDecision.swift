/// Whether an attempt that just ended is repeated, and when.
enum RetryDecision {
    /// It worked, or what it failed by is not for retrying.
    case finished
    /// It failed and is not repeated.
    case stop(RetryStopReason)
    /// It failed, and the caller gets another error.
    case fail(any Error)
    /// It came back unprocessed and is sent again at once, which counts as no attempt.
    case resend
    /// It is repeated after a wait of the policy's own, or of its hook's choice.
    case retry(after: Duration, isChosen: Bool = false)

    var delay: Duration? {
        switch self {
        case .retry(let delay, _): delay
        case .resend: .zero
        case .finished, .stop, .fail: nil
        }
    }

    /// Why there is no further attempt although the policy has some left and the caller waits for it.
    var withheld: String? {
        guard case .stop(let reason) = self else { return nil }
        switch reason {
        case .attempts, .cancelled: return nil
        default: return reason.reason
        }
    }

    /// The decision as a hook gets it.
    var result: RetryResult {
        switch self {
        case .retry(let delay, _): .retryAfter(delay)
        case .resend: .retry
        case .finished, .stop, .fail: .doNotRetry
        }
    }
}

/// What a decision depends on besides the outcome.
struct RetryState {
    /// The number of the attempt that ended, from 1.
    var number = 1
    /// The largest number of sends.
    let limit: Int
    /// Whether the input can be sent more than once.
    var isReplayable = true
    /// Whether one that came back unprocessed was sent again.
    var hasResent = false
    /// How many waits of the policy's own there were since the beginning or a hook's choice.
    var waits = 0
    /// The last of them.
    var lastWait: Duration?

    /// What holds whatever a hook says.
    var bound: RetryStopReason? {
        if number >= limit { return .attempts(limit) }
        return isReplayable ? nil : .sentOnce
    }
}

extension RetryPolicy {
    /// What the policy would do, from values alone; deadline and budget come after.
    /// - Parameter random: Draws a number from 0 up to 1.
    func decision(
        for outcome: Outcome<Input>,
        _ classification: Classification,
        _ call: Call,
        _ state: RetryState,
        isAsked: Bool = false,
        _ random: () -> Double
    ) -> RetryDecision {
        guard isAsked || classification.isRetryable else { return .finished }
        let canResend = state.isReplayable && state.limit > 1 && !state.hasResent
        if classification.isReturnedUnprocessed && resendsUnprocessed && canResend {
            return .resend
        }
        if let bound = state.bound { return .stop(bound) }
        guard isAsked || isRepeatable(outcome.input, call, classification) else {
            return .stop(.unsafe)
        }
        if respectsRetryAfter, let wish = classification.retryAfter {
            guard wish <= maxRetryAfter else { return .stop(.retryAfter(wish)) }
            return .retry(after: Self.honouring(wish, fraction: random()))
        }
        let rule = classification.isOverload ? overloadBackoff : backoff
        return .retry(
            after: rule.delay(
                after: state.waits + 1,
                fraction: random(),
                previous: state.lastWait
            )
        )
    }

    // Never earlier than asked; up to a tenth later, and at most a second, keeps those told the same time
    // apart.
    private static func honouring(_ wish: Duration, fraction: Double) -> Duration {
        wish + min(wish / 10, .seconds(1)) * fraction
    }
}

extension RetryDecision {
    /// What happens to it by a hook's answer.
    func replaced(by result: RetryResult, _ state: RetryState) -> RetryDecision {
        switch (result, self) {
        case (.doNotRetryWithError(let error), _): .fail(error)
        case (.doNotRetry, .retry), (.doNotRetry, .resend): .stop(.hook)
        case (.doNotRetry, _): self
        case (.retry, .resend): self
        case (.retryAfter(let wait), .retry(let own, _)) where wait == own: self
        case (.retry, _): chosen(.zero, state)
        case (.retryAfter(let wait), _): chosen(max(.zero, wait), state)
        }
    }

    private func chosen(_ wait: Duration, _ state: RetryState) -> RetryDecision {
        state.bound.map(RetryDecision.stop) ?? .retry(after: wait, isChosen: true)
    }
}

extension Classification {
    /// Whether another attempt may succeed; for a call rejected locally, only if the error says when.
    public var isRetryable: Bool {
        switch kind {
        case .transient, .throttled: true
        case .rejected: retryAfter != nil
        default: false
        }
    }
}
