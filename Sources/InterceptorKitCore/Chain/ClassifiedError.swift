/// An error that states its own classification.
///
/// The standard classifiers use it, so that every retry, breaker and fallback treats an interceptor's
/// own errors alike, for any input.
public protocol ClassifiedError: Error {
    /// The meaning of this error.
    var classification: Classification { get }
}
