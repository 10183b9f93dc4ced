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
