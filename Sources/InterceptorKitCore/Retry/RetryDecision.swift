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
    fileprivate var bound: RetryStopReason? {
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

/// The decision of a hook after an attempt that didn't succeed, as in Alamofire.
public enum RetryResult: Sendable {
    /// Retry at once.
    case retry
    /// Retry after a wait.
    case retryAfter(Duration)
    /// Don't retry, and return the outcome to the caller.
    case doNotRetry
    /// Don't retry, and throw this error in place of the outcome; see ``ReplacementError``.
    case doNotRetryWithError(any Error)
}

/// An error that a retry hook throws in place of an outcome, and that carries the outcome's own error.
///
/// ```swift
/// struct OrderFailed: ReplacementError {
///     var replacedError: (any Error)?
/// }
/// ```
///
/// A ``RetryInterceptor`` sets ``replacedError`` and throws the error otherwise as the hook made it, so that
/// callers catch it by its type. Errors that do not conform are thrown unchanged.
public protocol ReplacementError: Error {
    /// The error of the last attempt; `nil` if it ended with an output.
    var replacedError: (any Error)? { get set }
}

extension Error {
    /// This error, with the one it replaces in it if it can carry one.
    func replacing(_ original: (any Error)?) -> any Error {
        guard var replacement = self as? any ReplacementError else { return self }
        replacement.replacedError = original
        return replacement
    }
}

/// Why an attempt that failed is not repeated.
enum RetryStopReason {
    case attempts(Int)
    case sentOnce
    case unsafe
    case retryAfter(Duration)
    case deadline
    case budget
    case hook
    case cancelled

    /// The rule that stopped it, for programs.
    var rule: String {
        switch self {
        case .attempts: "attempts"
        case .sentOnce: "replay"
        case .unsafe: "safety"
        case .retryAfter: "retry_after"
        case .deadline: "deadline"
        case .budget: "budget"
        case .hook: "hook"
        case .cancelled: "cancellation"
        }
    }

    /// The same for people.
    var reason: String {
        switch self {
        case .attempts(1): "retries are off"
        case .attempts(let count): "all \(count) attempts failed"
        case .sentOnce: "it can be sent only once"
        case .unsafe: "sending it again would not be safe"
        case .retryAfter(let wish):
            "the server asked to wait \(wish.formattedSeconds), longer than allowed"
        case .deadline: "the deadline comes before the next attempt"
        case .budget: "the budget for sending again is used up"
        case .hook: "the policy's hook decided so"
        case .cancelled: "the call was cancelled"
        }
    }
}

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
