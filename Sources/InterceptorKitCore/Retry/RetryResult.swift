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
