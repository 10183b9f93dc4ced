/// The decision whether and when to repeat an attempt that just ended.
enum RetryDecision {
    /// The attempt succeeded, or its failure is not retryable.
    case finished
    /// The attempt failed and is not repeated.
    case stop(RetryStopReason)
    /// The attempt failed, and the caller gets another error.
    case fail(any Error)
    /// The input came back unprocessed and is sent again at once, which does not count as an attempt.
    case resend
    /// The attempt is repeated after a wait, which the policy computed or its hook chose.
    case retry(after: Duration, isChosen: Bool = false)

    var delay: Duration? {
        switch self {
        case .retry(let delay, _): delay
        case .resend: .zero
        case .finished, .stop, .fail: nil
        }
    }

    /// The reason why no attempt follows although the policy has attempts left and the caller waits; `nil` otherwise.
    var withheld: String? {
        guard case .stop(let reason) = self else { return nil }
        switch reason {
        case .attempts, .cancelled: return nil
        default: return reason.reason
        }
    }

    /// The decision as it is passed to a hook.
    var result: RetryResult {
        switch self {
        case .retry(let delay, _): .retryAfter(delay)
        case .resend: .retry
        case .finished, .stop, .fail: .doNotRetry
        }
    }
}

/// The state of a retried call on which a decision depends besides the outcome.
struct RetryState {
    /// The number of the attempt that ended, from 1.
    var number = 1
    let limit: Int
    /// The numbers of retries so far, by the kind of the failure before each.
    var retries = RetryCounts()
    var isReplayable = true
    /// Whether an input that came back unprocessed was sent again.
    var hasResent = false
    /// The number of waits computed by the policy since the beginning or since a hook's choice.
    var waits = 0
    /// The last of these waits.
    var lastWait: Duration?

    /// The limit that holds after a failure of this kind, whatever a hook decides; `nil` if there is none.
    func bound(after kind: FailureKind, _ maxRetries: RetryCounts) -> RetryStopReason? {
        if number >= limit { return .attempts(limit) }
        if let count = maxRetries[kind], retries[kind] ?? 0 >= count {
            return .retries(count, kind)
        }
        return isReplayable ? nil : .sentOnce
    }
}

extension RetryPolicy {
    /// Returns the policy's decision, computed from values alone. The deadline and the budget are applied later.
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
        let kind = FailureKind(outcome, classification)
        if let bound = state.bound(after: kind, maxRetries) { return .stop(bound) }
        guard isAsked || isRepeatable(outcome.input, call, classification) else {
            return .stop(.unsafe)
        }
        if respectsRetryAfter, let retryAfter = classification.retryAfter {
            guard retryAfter <= maxRetryAfter else { return .stop(.retryAfter(retryAfter)) }
            return .retry(after: Self.spread(retryAfter, fraction: random()))
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

    // Never earlier than asked, and later by a random tenth of the wait, at most one second, so that clients that were
    // told the same time do not come back together.
    private static func spread(_ retryAfter: Duration, fraction: Double) -> Duration {
        retryAfter + min(retryAfter / 10, .seconds(1)) * fraction
    }
}

extension RetryDecision {
    /// Returns the decision after a hook's choice.
    /// - Parameter bound: The limit that holds whatever the hook decides.
    func replaced(by result: RetryResult, _ bound: @autoclosure () -> RetryStopReason?)
        -> RetryDecision
    {
        switch (result, self) {
        case (.doNotRetryWithError(let error), _): .fail(error)
        case (.doNotRetry, .retry), (.doNotRetry, .resend): .stop(.hook)
        case (.doNotRetry, _): self
        case (.retry, .resend): self
        case (.retryAfter(let wait), .retry(let own, _)) where wait == own: self
        case (.retry, _): bound().map(Self.stop) ?? .retry(after: .zero, isChosen: true)
        case (.retryAfter(let wait), _):
            bound().map(Self.stop) ?? .retry(after: max(.zero, wait), isChosen: true)
        }
    }
}

extension Classification {
    /// Whether another attempt may succeed. A call rejected locally is retryable only if the error has a `retryAfter`.
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

/// An error that a retry hook throws in place of an outcome, and that carries the original error.
///
/// ```swift
/// struct OrderFailed: ReplacementError {
///     var replacedError: (any Error)?
/// }
/// ```
///
/// A ``RetryInterceptor`` sets ``replacedError`` and otherwise throws the hook's error unchanged, so that callers can
/// catch it by its type. Errors that do not conform are thrown unchanged.
public protocol ReplacementError: Error {
    /// The error of the last attempt; `nil` if it ended with an output.
    var replacedError: (any Error)? { get set }
}

extension Error {
    /// Returns this error, with `original` recorded in it if it can carry one.
    func replacing(_ original: (any Error)?) -> any Error {
        guard var replacement = self as? any ReplacementError else { return self }
        replacement.replacedError = original
        return replacement
    }
}

/// The reason why a failed attempt is not repeated.
enum RetryStopReason {
    case attempts(Int)
    case retries(Int, FailureKind)
    case sentOnce
    case unsafe
    case retryAfter(Duration)
    case deadline
    case budget
    case hook
    case cancelled

    /// The name of the rule, for programs.
    var rule: String {
        switch self {
        case .attempts: "attempts"
        case .retries: "retries"
        case .sentOnce: "replay"
        case .unsafe: "safety"
        case .retryAfter: "retry_after"
        case .deadline: "deadline"
        case .budget: "budget"
        case .hook: "hook"
        case .cancelled: "cancellation"
        }
    }

    /// The reason as text, for people.
    var reason: String {
        switch self {
        case .attempts(1): "retries are off"
        case .attempts(let count): "all \(count) attempts failed"
        case .retries(0, let kind): "retries after \(kind) failures are off"
        case .retries(1, let kind): "the one retry after \(kind) failures is used up"
        case .retries(let count, let kind):
            "all \(count) retries after \(kind) failures are used up"
        case .sentOnce: "it can be sent only once"
        case .unsafe: "sending it again would not be safe"
        case .retryAfter(let retryAfter):
            "the server asked to wait \(retryAfter.formattedSeconds), longer than allowed"
        case .deadline: "the deadline comes before the next attempt"
        case .budget: "the budget for sending again is used up"
        case .hook: "the policy's hook decided so"
        case .cancelled: "the call was cancelled"
        }
    }
}

/// A validated policy with its actions, behind one reference, because every call reads it.
final class RetryRules<Input: Interceptable>: Sendable {
    let policy: RetryPolicy<Input>

    init(_ policy: RetryPolicy<Input>) { self.policy = policy }

    /// Records a call's first attempt in the budget.
    /// - Returns: The authority of the call, if there is a budget.
    func begin(_ chain: InterceptorChain<Input>, at instant: Runtime.Instant) -> String? {
        guard let budget = policy.budget else { return nil }
        // Read from the frame, which lends its input; the chain's own property returns a copy.
        let authority = Input.authority(of: chain.frame.input)
        budget.recordFirstAttempt(to: authority, at: instant)
        return authority
    }

    /// Returns whether a first attempt's output is an obvious success, and records it in the budget if so.
    func recognises(
        _ output: Input.Output,
        of chain: InterceptorChain<Input>,
        from authority: String?
    ) -> Bool {
        guard policy.classifier.recognises(output, of: chain.call) else { return false }
        if policy.alsoRetries != nil, alsoRetries(output, of: chain) { return false }
        policy.budget?.recordSuccess(to: authority, after: nil)
        return true
    }

    // A function of its own, because a generic one looks up all of its types on entry.
    private func alsoRetries(_ output: Input.Output, of chain: InterceptorChain<Input>) -> Bool {
        let input = chain.input
        let outcome = Outcome(input: input, result: .success(output), call: chain.call)
        return policy.alsoRetries?(outcome) ?? false
    }

    /// The largest number of sends, given the call's own limit.
    func limit(for call: Call) -> Int {
        guard let limit = call.retryLimit else { return policy.maxAttempts }
        return max(1, policy.allowsManyAttempts ? limit : min(limit, RetryLimits.usualAttempts))
    }
}

enum RetryLimits {
    /// More attempts than this must be allowed explicitly (gRFC A6 caps the number here).
    static let usualAttempts = 5
    /// The number of attempts that are recorded.
    static let keptAttempts = 32
}
