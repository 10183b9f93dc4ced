/// Whether an attempt that just ended is repeated, and when.
enum RetryDecision: Hashable {
    /// It worked, or what it failed by is not for retrying.
    case finished
    /// It failed and is not repeated.
    case stop(String)
    /// It is repeated after a wait.
    case retry(after: Duration)

    var delay: Duration? {
        if case .retry(let delay) = self { delay } else { nil }
    }
}

extension RetryPolicy {
    /// This policy with another largest number of sends, if there is one.
    func limited(by limit: Int?) -> RetryPolicy {
        guard let limit else { return self }
        var changed = self
        changed.maxAttempts = max(1, limit)
        return changed
    }

    /// Decides from values alone.
    /// - Parameter random: Draws a number from 0 up to 1.
    func decision(
        for outcome: Outcome<Input>,
        _ classification: Classification,
        _ random: () -> Double
    ) -> RetryDecision {
        let attempt = outcome.attempt
        // What was turned away on this side is let through again when that says so.
        let isPutOff = classification.kind == .rejected && classification.retryAfter != nil
        let isThrottled = classification.kind == .throttled || isPutOff
        guard isThrottled || classification.kind == .transient else { return .finished }
        guard attempt < maxAttempts else {
            return .stop(
                maxAttempts == 1 ? "retries are off" : "all \(maxAttempts) attempts failed"
            )
        }
        guard isRepeatable(outcome.input, classification) else {
            return .stop("sending it again would not be safe")
        }
        let rule = isThrottled ? throttledBackoff : backoff
        var delay = rule.delay(after: attempt, fraction: random())
        if respectsRetryAfter, let wish = classification.retryAfter {
            guard wish <= maxRetryAfter else {
                return .stop(
                    "the server asked to wait \(wish.formattedSeconds), longer than allowed"
                )
            }
            delay = wish == .zero ? .zero : honour(wish, backoff: delay, random: random)
        }
        if let remaining = outcome.remaining, delay >= remaining {
            return .stop("the deadline comes before the next attempt")
        }
        return .retry(after: delay)
    }

    // Never earlier than asked; a tenth more, up to a second, keeps those told the same time apart.
    private func honour(_ wish: Duration, backoff: Duration, random: () -> Double) -> Duration {
        let wait = max(wish, backoff)
        return wait + min(wait / 10, .seconds(1)) * random()
    }
}
