/// What to do after an attempt that was no success: the four answers of Alamofire's retriers.
public enum RetryAnswer: Sendable {
    /// Send again at once.
    case retry
    /// Send again after a wait.
    case retryAfter(Duration)
    /// Let the caller have the outcome.
    case doNotRetry
    /// Let the caller have this error in place of the outcome.
    case doNotRetryWithError(any Error)
}
