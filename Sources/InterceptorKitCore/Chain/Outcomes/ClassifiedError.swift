/// An error that states its own classification.
///
/// The standard classifiers use it, so every retry, breaker and fallback treats your own errors alike, for
/// any input.
public protocol ClassifiedError: Error {
    /// The meaning of this error.
    var classification: Classification { get }
}
