/// An error that says itself what it means to those who must act on it.
///
/// The standard classifiers take its word, so that an interceptor's own errors are judged alike by
/// every retry, breaker and fallback above it, whatever travels.
public protocol ClassifiedError: Error {
    /// What it means.
    var classification: Classification { get }
}
