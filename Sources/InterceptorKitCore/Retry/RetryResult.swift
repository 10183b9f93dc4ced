/// The decision of a hook after an attempt that didn't succeed, as in Alamofire.
public enum RetryResult: Sendable {
    /// Retry at once.
    case retry
    /// Retry after a wait.
    case retryAfter(Duration)
    /// Don't retry, and return the outcome to the caller.
    case doNotRetry
    /// Don't retry, and throw this error in place of the outcome.
    case doNotRetryWithError(any Error)
}
